"""Uses the classes that are generated from the document: they refuse a reply that it does not describe."""

import json
import os
from urllib.request import Request, urlopen

from models import ChangedSound, Credentials, LogIn, Mood, Profile, SoundPage

API = os.environ["API"]
BOUNDARY = "sound-change"


def call(method, path, body=None, content_type="application/json", access=None):
    headers = {"Content-Type": content_type} if body is not None else {}
    if access is not None:
        headers["Authorization"] = f"Bearer {access}"
    with urlopen(Request(API + path, method=method, data=body, headers=headers)) as reply:
        return json.load(reply)


def to_form(parts):
    lines = []
    for name, value in parts:
        lines += [f"--{BOUNDARY}", f'Content-Disposition: form-data; name="{name}"', "", value]
    return "\r\n".join([*lines, f"--{BOUNDARY}--", ""]).encode()


page = SoundPage.from_dict(call("GET", "/api/sounds/?page_size=3"))
[sound] = page.results
assert sound.moods == [] and sound.created_at.tzinfo is not None

credentials = Credentials(email=os.environ["EMAIL"], password=os.environ["PASSWORD"])
body = json.dumps(credentials.to_dict()).encode()
access = LogIn.from_dict(call("POST", "/api/account/login/", body)).access

profile = Profile.from_dict(call("GET", "/api/account/profile/", access=access))
assert profile.username == sound.artist_name and profile.reward_balance == 0

moods = [Mood.CALM, Mood.NOSTALGIC]
form = to_form([("moods", mood.value) for mood in moods])
reply = call("PATCH", f"/api/sounds/{sound.id}/", form, f"multipart/form-data; boundary={BOUNDARY}", access)
assert ChangedSound.from_dict(reply).sound.moods == moods

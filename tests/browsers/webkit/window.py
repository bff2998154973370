"""
A window of WebKitGTK that WebKitWebDriver controls; MiniBrowser is never narrower than 447 pixels. Each tab is a window.

`--size=320x568`; `--folder=FOLDER` gets `console.log`, `downloads` and `data`; `--dark`; `--no-scripts`.
"""
import argparse
import os
import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2

arguments = argparse.ArgumentParser()
arguments.add_argument("--size", required=True)
arguments.add_argument("--folder", required=True)
arguments.add_argument("--dark", action="store_true")
arguments.add_argument("--no-scripts", action="store_true")
options = arguments.parse_args()
width, height = (int(part) for part in options.size.split("x"))

# WebKit writes the console to the standard output, which the driver discards.
console = os.open(os.path.join(options.folder, "console.log"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
for stream in (sys.stdout, sys.stderr):
    os.dup2(console, stream.fileno())

Gtk.init()
Gtk.Settings.get_default().set_property("gtk-application-prefer-dark-theme", options.dark)

# An ephemeral context writes no console.
data = os.path.join(options.folder, "data")
manager = WebKit2.WebsiteDataManager(base_data_directory=data, base_cache_directory=data)
context = WebKit2.WebContext(website_data_manager=manager)
# The cache model of browsers, which keeps pages for Back.
context.set_cache_model(WebKit2.CacheModel.WEB_BROWSER)
context.set_preferred_languages(["ja-JP"])
context.set_automation_allowed(True)
settings = WebKit2.Settings(
    enable_page_cache=True,
    enable_write_console_messages_to_stdout=True,
    # Scripts of the driver run all the same.
    enable_javascript=not options.no_scripts,
)


def open_view(session):
    view = WebKit2.WebView(
        web_context=context,
        settings=settings,
        # The default of Safari.
        website_policies=WebKit2.WebsitePolicies(autoplay=WebKit2.AutoplayPolicy.ALLOW_WITHOUT_SOUND),
        is_controlled_by_automation=True,
    )
    window = Gtk.Window()
    window.set_default_size(width, height)
    window.add(view)
    view.connect("close", lambda view: window.destroy())
    window.show_all()
    return view


def start_session(context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name("window.py")
    session.set_application_info(info)
    session.connect("create-web-view", open_view)


def save_download(context, download):
    download.connect(
        "decide-destination",
        lambda download, name: download.set_destination(GLib.filename_to_uri(os.path.join(options.folder, "downloads", name))),
    )


context.connect("automation-started", start_session)
context.connect("download-started", save_download)
Gtk.main()

/** A delivery status notification as Postfix writes it. */
export function toDsn(to: string, { action = 'failed', status = '5.1.1' } = {}): Buffer {
  return Buffer.from(
    [
      'Return-Path: <>',
      'From: MAILER-DAEMON@mx.example (Mail Delivery System)',
      `To: ${to}`,
      'Content-Type: multipart/report; report-type=delivery-status;',
      '\tboundary="4F2A.1/mx.example"',
      '',
      '--4F2A.1/mx.example',
      'Content-Type: text/plain; charset=us-ascii',
      '',
      'Action: relayed, says the text of the mail.',
      '',
      '--4F2A.1/mx.example',
      'Content-Description: Delivery report',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      'Final-Recipient: rfc822; hana@elsewhere.example',
      `Action: ${action}`,
      `Status: ${status}`,
      'Diagnostic-Code: smtp; 550 5.1.1 <hana@elsewhere.example>: no',
      '    such mailbox',
      '',
      '--4F2A.1/mx.example--',
    ].join('\r\n'),
  );
}

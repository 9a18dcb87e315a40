import { createRedactor } from '@aepkit/redaction';

const redactor = createRedactor({ names: ['blue-horse'], homes: ['/srv/al'] });
console.log(redactor.text('curl -u me:pw https://h # ask bob@example.com, see /home/al/x'));
// curl -u me:[REDACTED:secret] https://h # ask [REDACTED:pii], see ~/x
console.log(redactor.value({ env: [{ name: 'DB_PASSWORD', value: 'x' }], note: 'blue-horse', n: 1 }));
// { env: [ { name: 'DB_PASSWORD', value: '[REDACTED:secret]' } ], note: '[REDACTED:secret]', n: 1 }
console.log(redactor.scan('token=hunter2').findings); // [ { rule: 'named-value', start: 6, end: 13 } ]

import { encodeFrame, FrameReader, TopicFilter } from '@aepkit/weida-codec';

const filter = TopicFilter.parse('px.*');
const reader = new FrameReader({ stream: 'uni' });
for (const chunk of [encodeFrame({ kind: 'DATA', endpoint: '/md', topic: 'px.eur' }), new TextEncoder().encode('1.0842')]) {
  for (const event of reader.push(chunk)) {
    if (event.type === 'frame' && event.frame.kind === 'DATA') console.log(event.frame.endpoint, filter.matches(event.frame.topic ?? ''));
    if (event.type === 'payload') console.log(new TextDecoder().decode(event.bytes));
  }
}
reader.end();

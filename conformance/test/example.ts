import { parseFilter } from '@aepkit/attr-match';
import { isBad, runCorpus, type Implementation } from '@aepkit/conformance';

const mine: Implementation = {
  name: 'mine',
  attrMatch: (filter, event) => (parseFilter(filter).matches(JSON.parse(event)) ? 'match' : 'no-match'),
};
for (const { title, expected, actual } of (await runCorpus({ implementation: mine })).filter(isBad)) {
  console.log(title, 'expected', expected, 'got', actual);
}

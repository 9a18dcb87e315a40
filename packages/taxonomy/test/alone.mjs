// Runs where the package is installed alone: see packaging/README.md.
export const expected = [[], 'rm: /home/kim: denied', '"capture":"metadata","data":{"tool":{"name":"Bash"},"error":{"type":"exit"}}}'];

export const run = ({ logged: [[issues], [message], [json]] }) => [issues, message, json.slice(json.indexOf('"capture"'))];

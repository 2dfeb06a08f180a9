// A CommonJS program that verifies.
const { functionFor, outputForInput } = require('firmquote-client/verify')

const side = { reserve: 10n ** 18n, price: 10n ** 8n, weight: 10n, decimals: 18 }
const curve = { input: side, output: side, k: 5n * 10n ** 17n, fee: 0n }
console.log(`${functionFor({ transmit: true })} ${outputForInput(curve, 21n * 10n ** 16n)}`)

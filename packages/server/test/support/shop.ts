/** Rules for the tests of the transports: one of each sort. */
export const SHOP = `
domain: shop
descriptors:
  - key: user
    rate_limit: { unit: minute, requests_per_unit: 5, name: per user }
  - key: item
    value: sale
    rate_limit: { unit: hour, requests_per_unit: 3 }
  - key: address
    rate_limit: { kind: token bucket, unit: second, requests_per_unit: 10, capacity: 50 }
  - key: slow
    rate_limit: { kind: sliding log, period: 90s, requests_per_unit: 1 }
  - key: staff
    rate_limit: { unlimited: true }
  - key: banned
    rate_limit: { unit: day, requests_per_unit: 0 }
  - key: __proto__
    rate_limit: { unit: minute, requests_per_unit: 5 }
`;

/** Costs: what is read out of a text, and how it is shown. */
import { formatCost, lowestPrice, readCost } from './cost';

const show = (value: unknown): unknown[] => {
  const cost = readCost(value);
  if (!cost) return ['refused'];
  const { symbol, position, values } = cost.details;
  return [formatCost(cost.details, '$'), symbol, position, values];
};

describe('readCost', () => {
  it.each([
    ['10', '$10', '', '', ['10']],
    [10, '$10', '', '', ['10']],
    [12.5, '$12.5', '', '', ['12.5']],
    ['$10', '$10', '$', 'prefix', ['10']],
    ['EUR 12', 'EUR12', 'EUR', 'prefix', ['12']],
    ['12 EUR', '12EUR', 'EUR', 'postfix', ['12']],
    ['12 €', '12€', '€', 'postfix', ['12']],
    ['£5-£15', '£5 – £15', '£', 'prefix', ['5', '15']],
    ['US$ 20', 'US$20', 'US$', 'prefix', ['20']],
    ['100 kr', '100kr', 'kr', 'postfix', ['100']],
    ['5-15', '$5 – $15', '', '', ['5', '15']],
    ['from 10 to 30', '$10 – $30', '', '', ['10', '30']],
    ['30, 10 or 20', '$10 – $30', '', '', ['10', '20', '30']],
    ['1,000', '$1,000', '', '', ['1000']],
    ['1,000,000.50', '$1,000,000.50', '', '', ['1000000.50']],
    ['1.000,50 €', '1.000,50€', '€', 'postfix', ['1000.50']],
    ['12,50', '$12,50', '', '', ['12.50']],
    ['10 000 Kč', '10 000Kč', 'Kč', 'postfix', ['10000']],
    ['1 000 kr', '1 000kr', 'kr', 'postfix', ['1000']],
    ["CHF 1'500", "CHF1'500", 'CHF', 'prefix', ['1500']],
    ['CHF 1’500.50', 'CHF1’500.50', 'CHF', 'prefix', ['1500.50']],
    ['1\u202f500 €', '1 500€', '€', 'postfix', ['1500']],
    ['1\u00a0500,50 €', '1 500,50€', '€', 'postfix', ['1500.50']],
    ['5 100 Kč', '5 100Kč', 'Kč', 'postfix', ['5100']],
    ['1 000 000 - 2 000 000 Ft', '1 000 000Ft – 2 000 000Ft', 'Ft', 'postfix', ['1000000', '2000000']],
    ['₹ 1,00,000', '₹1,00,000', '₹', 'prefix', ['100000']],
    ['₹ 12,34,56,789.50', '₹12,34,56,789.50', '₹', 'prefix', ['123456789.50']],
    ['10 20', '$10 – $20', '', '', ['10', '20']],
    ['2026 500', '$500 – $2026', '', '', ['500', '2026']],
    ['0 100', 'Free – $100', '', '', ['0', '100']],
    [[10, '20'], '$10 – $20', '', '', ['10', '20']],
    [[5, 5], '$5', '', '', ['5']],
    ['Free', 'Free', '', '', ['free']],
    ['free', 'free', '', '', ['free']],
    ['Free - $20', 'Free – $20', '$', 'prefix', ['free', '20']],
    ['0-10', 'Free – $10', '', '', ['0', '10']],
    ['Donation', 'Donation', '', '', ['donation']],
    ['VIP 20', '$20', '', '', ['20']],
    ['by <b>hat</b> & coin', 'by hat &amp; coin', '', '', ['by hat & coin']],
    ['0', '', '', '', []],
    [0, '', '', '', []],
    ['', '', '', '', []],
    [null, '', '', '', []],
    [[], '', '', '', []],
  ])('reads %j', (value, shown, symbol, position, values) => {
    expect(show(value)).toEqual([shown, symbol, position, values]);
  });

  it.each([[true], [-5], [Number.NaN], [[[1]]], [{ a: { b: 1 } }], ['1 '.repeat(51)], ['x'.repeat(1001)]])(
    'refuses %j',
    (value) => {
      expect(readCost(value)).toBeUndefined();
    },
  );

  it('takes the currency that an import names', () => {
    const cost = readCost('10', { symbol: '€', position: 'suffix' });
    expect(cost && formatCost(cost.details, '$')).toBe('10€');
  });

  it.each([
    ['Free', '0'],
    ['5-15', '5'],
    ['10 000 Kč', '10000'],
    ['Donation', undefined],
    ['', undefined],
  ])('the lowest price of %j is %j', (text, price) => {
    expect(lowestPrice(readCost(text)!.details)).toBe(price);
  });

  it('is quick with long texts', () => {
    const started = process.cpuUsage();
    readCost('1,'.repeat(500));
    readCost('1 000'.repeat(200));
    readCost(`1${' 000'.repeat(249)}0`);
    readCost('A'.repeat(1000));
    readCost(`${'9'.repeat(999)}$`);
    // Milliseconds of its own processor time; what grows with the square or faster takes far longer.
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(2);
  });
});

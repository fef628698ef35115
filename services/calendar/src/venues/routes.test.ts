/** What only venues have: place, flags and coordinates. The rest is tested in linked/, for both kinds at once. */
import { removeAll } from '../testing/linked';
import { type CalendarSite, startCalendar } from '../testing/service';

let site: CalendarSite;
beforeAll(async () => {
  site = await startCalendar();
});
afterAll(() => site.stop());
beforeEach(() => removeAll(site.deps.db));

const post = (body: object) => site.by('editor').post('/venues', { venue: 'Hall', ...body });
const put = (id: number, body: object) => site.by('editor').put(`/venues/${id}`, body);

const PLACE = {
  address: '1 Own Street',
  city: 'Lyon',
  country: 'France',
  province: 'Rhone',
  zip: '69000',
  phone: '555',
  website: 'http://own.example.org',
};

test('a whole venue, in the order clients know', async () => {
  const made = await post({
    ...PLACE,
    state: 'Auvergne',
    description: 'words',
    geo_lat: 45.76,
    geo_lng: 4.83,
  });
  const order = [
    'id', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'venue', 'description', 'slug',
    'address', 'city', 'country', 'province', 'state', 'zip', 'phone', 'website', 'stateprovince', 'geo_lat', 'geo_lng',
    'json_ld', 'show_map', 'show_map_link', 'global_id', 'global_id_lineage',
  ]; // prettier-ignore
  expect(Object.keys(made.body)).toEqual(order.filter((name) => name !== 'json_ld'));
  expect(made.body).toMatchObject({ ...PLACE, stateprovince: 'Rhone', geo_lat: 45.76, geo_lng: 4.83 });
  const { body } = await site.by('anonymous').get(`/venues/${made.body.id}`);
  expect(Object.keys(body)).toEqual(order);
  expect(body.json_ld).toEqual({
    '@type': 'Place',
    name: 'Hall',
    description: '&lt;p&gt;words&lt;/p&gt;\\n',
    url: '',
    address: {
      '@type': 'PostalAddress',
      streetAddress: '1 Own Street',
      addressLocality: 'Lyon',
      addressRegion: 'Rhone',
      postalCode: '69000',
      addressCountry: 'France',
    },
    geo: { '@type': 'GeoCoordinates', latitude: 45.76, longitude: 4.83 },
    telephone: '555',
    sameAs: 'http://own.example.org',
  });
});

test('empty fields are left out', async () => {
  const { body } = await post({ address: '', city: ' ' });
  expect(Object.keys(body)).toEqual([
    'id', 'author', 'status', 'date', 'date_utc', 'modified', 'modified_utc', 'url', 'venue', 'slug', 'show_map',
    'show_map_link', 'global_id', 'global_id_lineage',
  ]); // prettier-ignore
});

describe('stateprovince', () => {
  test.each([
    [{ country: 'US', state: 'NY', province: 'x' }, 'NY'],
    [{ country: 'United States', state: 'NY' }, 'NY'],
    [{ country: 'U.S.A.', state: 'NY', province: 'no' }, 'NY'],
    [{ country: 'U.S.', state: 'NY', province: 'no' }, 'NY'],
    [{ country: 'u. s. a.', state: 'NY', province: 'no' }, 'NY'],
    [{ country: 'USSR', state: 'no', province: 'Karelia' }, 'Karelia'],
    [{ country: 'U.S.S.R.', state: 'no', province: 'Karelia' }, 'Karelia'],
    [{ country: 'France', state: 'x', province: 'Rhone' }, 'Rhone'],
    [{ province: 'Rhone' }, 'Rhone'],
    [{ country: 'US', state: 'NY', stateprovince: 'own' }, 'own'],
    [{ country: 'France' }, undefined],
    [{ country: 'US', province: 'Rhone' }, undefined],
    [{ country: 'France', state: 'NY' }, undefined],
  ])('%j', async (body, wanted) => {
    expect((await post(body)).body.stateprovince).toBe(wanted);
  });

  test('follows a change, and is kept by others', async () => {
    const { id } = (await post({ country: 'US', state: 'NY', province: 'Rhone' })).body;
    expect((await put(id, { city: 'x' })).body.stateprovince).toBe('NY');
    expect((await put(id, { state: 'NJ' })).body.stateprovince).toBe('NJ');
    expect((await put(id, { country: 'France' })).body.stateprovince).toBe('Rhone');
    expect((await put(id, { state: '', province: '' })).body).not.toHaveProperty('stateprovince');
    expect((await put(id, { stateprovince: 'own' })).body.stateprovince).toBe('own');
    expect((await put(id, { country: 'Spain' })).body.stateprovince).toBe('own');
  });
});

test('flags are text, or what means the same', async () => {
  for (const [value, shown] of [
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
    [true, true],
    [false, false],
    [1, true],
    [0, false],
    ['', false],
  ] as const) {
    // prettier-ignore
    const { body } = await post({ show_map: value, show_map_link: value });
    expect([value, body.show_map, body.show_map_link]).toEqual([value, shown, shown]);
  }
  const { id } = (await post({ show_map: false })).body;
  expect((await put(id, { city: 'x' })).body.show_map).toBe(false);
  for (const value of ['yes', 'maybe', 2, []]) expect((await post({ show_map: value })).status).toBe(400);
});

describe('coordinates', () => {
  test('are numbers in bounds, both or none', async () => {
    const { id } = (await post({ geo_lat: '-90', geo_lng: 180 })).body;
    expect((await site.by('anonymous').get(`/venues/${id}`)).body).toMatchObject({
      geo_lat: -90,
      geo_lng: 180,
    });
    expect((await put(id, { geo_lat: 12.5 })).body).toMatchObject({ geo_lat: 12.5, geo_lng: 180 });
    expect((await put(id, { city: 'x' })).body).toMatchObject({ geo_lat: 12.5, geo_lng: 180 });
    expect((await put(id, { geo_lat: null })).body.data.params).toHaveProperty('geo_lat');
    for (const nothing of ['', null]) {
      await put(id, { geo_lat: 1, geo_lng: 2 });
      const { body } = await put(id, { geo_lat: nothing, geo_lng: nothing });
      expect(body).not.toHaveProperty('geo_lat');
      expect(body).not.toHaveProperty('geo_lng');
    }
    expect((await put(id, { geo_lng: 5 })).body.data.params).toHaveProperty('geo_lat');
    await put(id, { geo_lat: 0, geo_lng: 0 });
    expect((await site.by('anonymous').get(`/venues/${id}`)).body).toMatchObject({ geo_lat: 0, geo_lng: 0 });
  });

  test.each([
    [{ geo_lat: 90.01, geo_lng: 0 }, 'geo_lat'],
    [{ geo_lat: 0, geo_lng: -180.5 }, 'geo_lng'],
    [{ geo_lat: 'north', geo_lng: 0 }, 'geo_lat'],
    [{ geo_lat: [1], geo_lng: 0 }, 'geo_lat'],
    [{ geo_lat: true, geo_lng: 0 }, 'geo_lat'],
    [{ geo_lat: 1 }, 'geo_lng'],
    [{ geo_lng: 1 }, 'geo_lat'],
  ])('%j is refused', async (body, param) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(answer.body.data.params).toHaveProperty(param);
    expect((await site.deps.db.first<{ n: number }>('select count(*) as n from venues'))?.n).toBe(0);
  });

  test('work, and are not in the index', async () => {
    const { body } = await site.by('anonymous').request('OPTIONS', '/venues');
    expect(body.endpoints[1].args).toHaveProperty('venue');
    expect(body.endpoints[1].args).not.toHaveProperty('geo_lat');
  });
});

test('stateprovince follows the country alone', async () => {
  const { body } = await post({ country: 'US', state: 'NY' });
  const changed = await put(body.id as number, { country: 'Germany' });
  expect([body.stateprovince, changed.body.stateprovince]).toEqual(['NY', undefined]);
});

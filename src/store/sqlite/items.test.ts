import { itemStoreContract } from '../../../test/contract/items.ts';
import { assembleStore } from './assemble.ts';
import { NO_INDEX } from './no-index.fixture.ts';

itemStoreContract('SQLite', async (setup, clock) => assembleStore(setup, { clock }, NO_INDEX));

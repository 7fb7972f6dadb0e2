import { itemStoreContract } from '../../../test/contract/items.ts';
import { openSqliteStore } from './open.ts';

itemStoreContract('SQLite', async (setup, clock) => openSqliteStore(setup, { clock }));

import { capturesContract } from '../../../../test/contract/captures.ts';
import { openSqliteStore } from '../open.ts';

capturesContract('SQLite', async (setup, clock) => openSqliteStore(setup, { clock }));

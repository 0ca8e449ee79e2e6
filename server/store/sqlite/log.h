// The files of a database, written again.
#pragma once

#include "server/store/sqlite/database.h"

namespace fuhyo::store {

// Makes what the log holds safe against a power cut, whatever happened to it before. After a process was killed its
// last rows may be in memory only; after a sync has failed Linux takes such pages for written, so that the next sync
// does not write them, although they can still be read. Therefore every byte is written again before the sync. A
// checkpoint would not do: it makes the database newer than the log on the disk, which recovery would then play over
// it. Call it on a connection in WAL mode that has read something. Readers are not disturbed; commits wait.
SqliteResult<void> rewrite_log(Database& db);

// Makes the file of a database without tables safe likewise. It has a page as soon as it is in WAL mode, which a start
// that failed or was killed may have left in memory only; if a power cut then leaves the file empty, SQLite deletes its
// log. Call it before the first table is made: nothing is in the log yet that a checkpoint could move meanwhile.
SqliteResult<void> rewrite_empty(Database& db);

}  // namespace fuhyo::store

/*
 * Rollback of a storage: two files, and a counter of the chip that cannot be turned back.
 *
 * A program commits to a storage, a second one opens it; both may be killed between any two writes. A thief keeps a
 * copy of the files of some moment and puts it back at another. Order of a commit: data file, ledger with c + 1, then
 * the counter; an open accepts a data file one ahead of the ledger and a ledger one ahead of the counter, and finishes
 * the commit. Followed: SecureStorage/Anchoring, docs/decisions/0010-ledger-of-commits.md.
 *
 * broken ACKNOWLEDGE_BEFORE_COUNTER: the commit is told of before the counter is moved
 * broken OPEN_WITHOUT_FINISH: an open shows what is one ahead, and does not finish it
 * broken LEDGER_FIRST: the ledger is written before the data file
 * broken NO_COUNTER: the files are compared with each other only
 * broken FINISH_WITHOUT_LOCK: an open finishes a commit that another program is about
 */
#define COMMITS 2       /* of each program */

byte data = 0;          /* generation of the data file */
byte ledger = 0;        /* count of the ledger, which names the generation of the data file */
byte chip = 0;          /* counter of the chip */
byte shown = 0;         /* newest generation that an application was told of */
bool thief_acted;       /* files were put back */
bool held;              /* the lock of the folder */
bool refused;           /* an open was refused */

inline lock() {
	atomic { !held -> held = true }
}

inline unlock() {
	held = false
}

inline may_die() {
	if
	:: skip
	:: unlock(); goto killed
	fi
}

inline count_to(value) {
	atomic {
		assert(value >= chip);                  /* the counter never falls, whatever its value */
		chip = value
	}
}

inline tell(generation) {
	atomic {
		assert(generation >= shown);            /* a reader is never shown less than before */
		shown = generation
	}
}

/* Reads the files; refuses what is old, finishes what was cut off. */
inline open_storage() {
	if
#ifndef NO_COUNTER
	:: ledger < chip || ledger > chip + 1 -> refused = true
#endif
	:: data < ledger || data > ledger + 1 -> refused = true
	:: else ->
#ifndef OPEN_WITHOUT_FINISH
		if :: data == ledger + 1 -> ledger = data :: else fi;
		may_die();
		if :: ledger == chip + 1 -> count_to(ledger) :: else fi;
		may_die();
#endif
		tell(data)
	fi;
	assert(!refused || thief_acted)                 /* a crash is never taken for an attack */
}

active [2] proctype program()
{
	byte left = COMMITS;

start:
#ifdef FINISH_WITHOUT_LOCK
	open_storage();
	lock();
#else
	lock();
	open_storage();
#endif
	if
	:: refused || left == 0 -> unlock(); goto done
	:: else -> left--
	fi;
#ifdef LEDGER_FIRST
	ledger = ledger + 1;
	may_die();
	data = ledger;
	may_die();
#else
	data = ledger + 1;
	may_die();
	ledger = data;
	may_die();
#endif
#ifdef ACKNOWLEDGE_BEFORE_COUNTER
	tell(data);
	may_die();
	count_to(ledger);
#else
	count_to(ledger);
	may_die();
	tell(data);
#endif
	unlock();
	goto start;
killed:
	if :: left > 0 -> goto start :: else fi;
done:
	skip
}

/* Copies both files while none is written, and puts them back while none is open. */
active proctype thief()
{
	byte old_data, old_ledger;
	if
	:: skip
	:: atomic { !held -> old_data = data; old_ledger = ledger };
	   atomic { !held -> data = old_data; ledger = old_ledger; thief_acted = true }
	fi
}

/* What has begun stays begun; that nothing falls later is asserted where it is written. */
ltl forward { [] ((chip >= 1 -> [] (chip >= 1)) && (shown >= 1 -> [] (shown >= 1))) }

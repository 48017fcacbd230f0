/*
 * Lockout: five wrong PINs, whatever is killed and whichever clock is turned back.
 *
 * A thief tries PINs on a phone with keys in files. Two programs open the same vault, each may be killed between any
 * two steps, and the thief sets the clock of the wall. After the third wrong PIN there is a wait. Followed:
 * HardwareKeys/Software/SoftwareKeyVault, HardwareKeys/TrustedTime.
 *
 * broken COUNT_AFTER: the try is counted after the PIN was tried
 * broken NO_FILE_LOCK: two programs read and write the count without excluding each other
 * broken WALL_CLOCK: the wait is over when the clock of the wall says so
 * broken WAIT_IN_MEMORY: the wait begins in memory, after the count was written
 */
#define LIMIT 5         /* wrong PINs until the key is locked */
#define FREE 3          /* wrong PINs before there is a wait */
#define TRIES 4         /* PINs that each program tries */

byte count;             /* counted tries, in the file */
bool waiting;           /* the wait that is written in the file */
byte tried;             /* PINs that were really tried: what an attacker wants */
byte waits;             /* waits that have passed as a whole */
bool held;              /* the lock of the vault's folder */
bool wall_is_ahead;     /* the clock of the wall was set */

inline lock() {
#ifndef NO_FILE_LOCK
	atomic { !held -> held = true }
#else
	skip
#endif
}

inline unlock() {
#ifndef NO_FILE_LOCK
	held = false
#else
	skip
#endif
}

/* The process is killed: the operating system gives its lock back, and memory is gone. */
inline may_die() {
	if
	:: skip
	:: unlock(); goto killed
	fi
}

#ifdef WALL_CLOCK
#define wait_is_over (!waiting || wall_is_ahead)
#else
#define wait_is_over (!waiting)
#endif

inline try_pin() {
	atomic {
		tried++;
		assert(tried <= LIMIT);         /* five PINs, and the key is locked for ever */
		assert(tried <= FREE + waits)   /* each further one costs a whole wait */
	}
}

inline store_count(n) {
	atomic {
		count = n;
#ifndef WAIT_IN_MEMORY
		if :: n >= FREE -> waiting = true :: else fi
#endif
	}
}

active [2] proctype program()
{
	byte left = TRIES;
	byte seen;

again:
	if :: left == 0 -> goto done :: else -> left-- fi;
	lock();
	seen = count;
	may_die();
	if
	:: seen >= LIMIT || !wait_is_over -> unlock(); goto again
	:: else
	fi;
#ifndef COUNT_AFTER
	store_count(seen + 1);
	may_die();
	try_pin();
	may_die();
#else
	try_pin();
	may_die();
	store_count(seen + 1);
	may_die();
#endif
#ifdef WAIT_IN_MEMORY
	atomic { if :: seen + 1 >= FREE -> waiting = true :: else fi };
#endif
	unlock();
	goto again;
killed:
	seen = 0;               /* memory is gone; the program starts again */
	goto again;
done:
	skip
}

/* The clock that cannot be turned. */
active proctype boot_clock()
{
end:	do
	:: atomic { waiting -> waiting = false; waits++ }
	od
}

active proctype thief()
{
	if :: wall_is_ahead = true :: skip fi
}

/* What is locked stays locked. */
ltl locked { [] (count >= 5 -> [] (count >= 5)) }

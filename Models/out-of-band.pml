/*
 * Out-of-band ceremony: a dispatched token, the phone that redeems it, its answer, and everything that may come first.
 *
 * A portal dispatches a ceremony for a user; the payload has a copy. The owner and a thief may redeem the token, at
 * two processes of the server, and answer with the digits of the screen or with wrong ones. The clock, a newer dispatch
 * and the lock of the user run beside them. Followed: ServerCore/Domain/OutOfBand/CeremonyMachine, ServerCore/OutOfBand.
 *
 * broken REDEEM_IN_TWO_STEPS: whether the token is redeemed is read in one transaction and written in another
 * broken SUPERSEDE_BLINDLY: a newer dispatch ends the ceremony whatever its state
 * broken DIGITS_OUTSIDE: wrong digits are refused before the transaction and end nothing
 * broken LOCK_AT_START: whether the user is locked is judged at the redemption only
 * broken EXPIRY_WHEN_WRITTEN: a time-out takes effect only when it is written down
 */
mtype = { created, answering, succeeded, failed };

#define TRIES 3         /* answers that a phone sends at most */
#define GUESSES 1       /* answers with wrong digits that one ceremony may judge */

mtype status = created;
bool late;              /* server time has passed the life time of the ceremony */
bool locked;            /* the user is locked */
byte redemptions;       /* phones that hold the request */
byte guesses;           /* wrong digits that were judged */

#ifdef EXPIRY_WHEN_WRITTEN
#define is_late false
#else
#define is_late late
#endif

#define is_final (status == succeeded || status == failed)

/* A change of the state, in a transaction. */
inline become(next) {
	assert(!is_final);              /* what has ended stays as it ended */
	status = next
}

inline expire() {
	if
	:: is_late && !is_final -> become(failed)
	:: else
	fi
}

proctype phone(bool knows_digits)
{
	byte left = TRIES;
	bool open, right;
	/* Redeem. */
#ifdef REDEEM_IN_TWO_STEPS
	atomic { expire(); open = (status == created && !locked) };
	if :: !open -> goto done :: else fi;
	atomic { status = answering; redemptions++ };
#else
	atomic {
		expire();
		open = (status == created && !locked);
		if
		:: open -> become(answering); redemptions++
		:: else
		fi
	};
	if :: !open -> goto done :: else fi;
#endif
	assert(redemptions <= 1);       /* one phone holds the request */
answer:
	if :: left == 0 -> goto done :: else -> left-- fi;
	if :: right = knows_digits :: right = false fi;
#ifdef DIGITS_OUTSIDE
	if
	:: !right -> guesses++; assert(guesses <= GUESSES); goto answer
	:: else
	fi;
#endif
	atomic {
		expire();
		if
		:: status == answering ->
			if
#ifndef LOCK_AT_START
			:: locked -> become(failed)
			:: !locked && !right -> guesses++; become(failed)
			:: !locked && right ->
#else
			:: !right -> guesses++; become(failed)
			:: right ->
#endif
				assert(!locked);        /* a locked user succeeds nowhere */
				assert(!late);          /* nothing succeeds after its time */
				assert(right);          /* and nothing without the digits of the screen */
				become(succeeded)
			fi
		:: else
		fi
	};
	assert(guesses <= GUESSES);     /* one guess at the digits ends the ceremony */
	goto answer;
done:
	skip
}

active proctype clock()
{
	late = true;
	/* Maintenance writes down what is over. */
	atomic {
		if
		:: !is_final -> become(failed)
		:: else
		fi
	}
}

active proctype portal()
{
	/* A newer dispatch takes the place of this one. */
	if
	:: skip
	:: atomic {
#ifndef SUPERSEDE_BLINDLY
		expire();
		if :: !is_final -> become(failed) :: else fi
#else
		status = failed
#endif
	}
	fi
}

active proctype administrator()
{
	if :: locked = true :: skip fi
}

init
{
	atomic {
		run phone(true);        /* the owner, in front of the screen */
		run phone(false)        /* a thief with a copy of the payload */
	}
}

/* A success is never taken back, and every ceremony ends. */
ltl ends { ([] (status == succeeded -> [] (status == succeeded))) && (<> (status == succeeded || status == failed)) }

/*
 * Server ceremony: requests that are sealed instead of stored, and responses that any process of the server may judge.
 *
 * Two processes of the server share a database. User 0 has an honest phone; user 1 is the attacker, with a phone of
 * their own and every message of the network. The attacker has asked for a request of their own for user 0, and gives
 * it to the honest phone as well. Followed: ServerCore/Ceremonies, RelyingParty/Checks.
 *
 * broken CONSUME_IN_TWO_STEPS: whether the challenge is used is read in one transaction and written in another
 * broken NO_OWNER: whose key has signed is not compared with the user the request was made for
 * broken NO_EXCHANGE: the exchange of the response is not compared with the one of the request
 * broken LOCK_JUDGED_EARLY: whether the user is locked is judged before the transaction only
 * broken PURGE_WITHOUT_MARK: used challenges are forgotten, and nothing tells how far
 * broken ACKNOWLEDGE_FIRST: the phone hears of success before the transaction is durable
 */
#define CHALLENGES 2    /* 0: asked for by the honest phone, 1: by the attacker; both for user 0 */
#define RESPONSES 2     /* that one process of the server judges */

/* The sealed state: no one without the key can change it, anyone can send it again. */
#define holder(c) 0             /* the user that the request was made for */
#define asked_in(c) (c)         /* the exchange in which it was asked for: 0 is the honest phone's */

bool expired;                   /* server time has passed the life time of the requests */
bool consumed[CHALLENGES];      /* the mark of a used challenge */
bool forgotten;                 /* watermark: marks of that time are gone */
byte accepted[CHALLENGES];      /* outcomes written; never taken back */
bool acknowledged[CHALLENGES];  /* a phone has heard of success */
bool locked;                    /* user 0 is locked by an administrator */

/* The outcome, in the transaction that holds the lock of the database. */
inline write_outcome(c) {
	assert(!locked);                        /* a locked user signs in nowhere */
	accepted[c]++;
	assert(accepted[c] <= 1)                /* a challenge is good for one outcome */
}

active [2] proctype server()
{
	byte left = RESPONSES;
	bit c, key, exchange;
	bool fresh, unused, allowed;

judging:
	if
	:: left == 0 -> goto done
	:: else -> left--
	fi;
	/* A response from the network: the honest phone states its own exchange, the attacker any. */
	atomic {
		if :: c = 0 :: c = 1 fi;
		if
		:: key = 0; exchange = 0
		:: key = 1; if :: exchange = 0 :: exchange = 1 fi
		fi;
		fresh = !expired;
		allowed = !locked
	}
	if
	:: !fresh || !allowed -> goto judging
	:: else
	fi;
#ifndef NO_OWNER
	if :: key != holder(c) -> goto judging :: else fi;
#endif
#ifndef NO_EXCHANGE
	if :: exchange != asked_in(c) -> goto judging :: else fi;
#endif
	assert(key == holder(c));               /* no key answers for another user */
	assert(exchange == asked_in(c));        /* no request is answered in another exchange */
#ifdef ACKNOWLEDGE_FIRST
	acknowledged[c] = true;
	if :: goto done :: skip fi;             /* the process may die here */
#endif
#ifdef CONSUME_IN_TWO_STEPS
	atomic { unused = !consumed[c] && !forgotten };
	if :: !unused -> goto judging :: else fi;
	atomic { allowed = !locked; consumed[c] = true; if :: allowed -> write_outcome(c) :: else fi }
#else
	atomic {
		unused = !consumed[c];
#ifndef PURGE_WITHOUT_MARK
		unused = unused && !forgotten;
#endif
		if
		:: unused ->
			consumed[c] = true;
#ifndef LOCK_JUDGED_EARLY
			allowed = !locked;
#endif
			if :: allowed -> write_outcome(c) :: else fi
		:: else -> allowed = false
		fi
	}
#endif
	if :: !allowed -> goto judging :: else fi;
	if :: goto done :: skip fi;             /* the process may die: the phone hears nothing */
	acknowledged[c] = true;
	goto judging;
done:
	skip
}

/* Life times pass, and the marks of what cannot be answered any more are deleted. */
active proctype maintenance()
{
	expired = true;
	atomic {
		consumed[0] = false;
		consumed[1] = false;
#ifndef PURGE_WITHOUT_MARK
		forgotten = true
#endif
	}
}

active proctype administrator()
{
	locked = true
}

/* A phone that was told of success has it, whatever dies in between. */
ltl durable { [] ((acknowledged[0] -> accepted[0] == 1) && (acknowledged[1] -> accepted[1] == 1)) }

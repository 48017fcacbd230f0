/*
 * No downgrade: the methods of one account, and who is let in by which of them.
 *
 * The person registers and removes passkeys that can be copied (1), passkeys of one device (2), keys that prove nothing (3) and
 * keys in a chip (4), and has a password (0), which is good for a first key and lets in nowhere. The help desk removes methods.
 * The thief holds a copy of one factor, each in turn, and uses it for all that it is good for: signing in, a session of the
 * browser, a refresh token, adding a method of their own, removing methods of the person. What the thief adds while the person has
 * nothing stronger is the thief's by right: the account was theirs already. Followed: AccountStrength, GrantRules and
 * RequestAuthorization of ServerCore; OpenID/Authorization/SignInVerdict; ServerPersistence/Transactions/SQLTransaction+Strength.
 *
 * broken JUDGED_EARLY: a sign-in is judged before the transaction that lets in
 * broken NO_WAIT: a removed method counts for nothing
 * broken NOT_NOTED: a removal by the help desk is not noted
 * broken SILENT_UNJUDGED: a session of the browser answers without a look at the strength of the account
 * broken REFRESH_UNJUDGED: a refresh token is exchanged without a look at the strength of the account
 * broken CHANGES_UNJUDGED: a weaker key adds keys and removes stronger ones
 * broken BEGUN_UNJUDGED: what was begun before a stronger method came adds a key after it
 * broken PASSWORD_BESIDE_PASSKEY: a password adds a first key where there are passkeys, as before them
 */
#define PASSWORD 0
#define CHIP 4
#define greater(a, b) ((a) > (b) -> (a) : (b))
#define top(a) (a[4] -> 4 : (a[3] -> 3 : (a[2] -> 2 : (a[1] -> 1 : 0))))

bool own[5];            /* methods of the person that are registered */
bool noted[5];          /* removed_methods: removed, and the wait is not over */
bool waits[5];          /* the same, as it is in truth */
byte held;              /* strongest factor of the thief */
bool mine;              /* it is the thief's own registration, and no copy */
bool session;           /* session of the browser and refresh token that the thief has begun by it */
bool begun;             /* registration that the thief has begun by it */
byte since;             /* strongest method removed since then */
bool weaker;
bool refused;           /* the person was refused with their strongest method */

#define registered greater(top(own), (mine -> held : 0))
#ifdef NO_WAIT
#define strongest registered
#else
#define strongest greater(registered, top(noted))
#endif
#ifdef PASSWORD_BESIDE_PASSKEY
#define first_key (!own[3] && !own[4] && !mine)
#else
#define first_key (strongest == 0)
#endif
/* Whether the factor of the thief is one of the account: a copy ends with what it was copied from. */
#define holds (held == PASSWORD || mine || own[held])
#define judged (held == PASSWORD -> first_key : held >= strongest)
#define judged_again (held == PASSWORD -> first_key && since == 0 : held >= greater(registered, since))
/* Whether the factor begins the registration of another method, ends it, and removes one of the person. */
#define begins judged
#define ends judged_again
#define removes judged
#ifdef CHANGES_UNJUDGED
#undef begins
#undef ends
#undef removes
#define begins (held > PASSWORD || judged)
#define ends (held > PASSWORD || judged_again)
#define removes true
#endif
#ifdef BEGUN_UNJUDGED
#undef ends
#define ends true
#endif

/* The property: whatever the thief achieves, the person has nothing stronger, and had nothing stronger within the wait. */
inline achieve() {
	weaker = held < top(own) || held < top(waits);
	assert(!weaker)
}

inline note_removal(m) {
	own[m] = false;
	waits[m] = true;
	since = (begun -> greater(since, m) : 0);
	session = session && (mine || m != held)
}

inline any(m) { if :: m = 1 :: m = 2 :: m = 3 :: m = 4 fi }

active proctype person()
{
	byte m;
	do
	:: atomic { any(m); own[m] = true; m = 0 }
	:: atomic { any(m); if :: own[m] -> note_removal(m); noted[m] = true :: else fi; m = 0 }
	:: atomic { top(own) > 0 && top(own) >= top(noted) && !mine -> refused = top(own) < strongest }
	od
}

active proctype help_desk()
{
	byte m;
	do
	:: atomic {
		any(m);
		if
		:: own[m] ->
			note_removal(m);
#ifndef NOT_NOTED
			noted[m] = true
#endif
		:: else
		fi;
		m = 0
	}
	od
}

active proctype time()
{
	byte m;
	do
	:: atomic { any(m); waits[m] = false; noted[m] = false; m = 0 }
	od
}

active proctype thief()
{
	byte m;
	bool verdict;

	atomic { if :: held = 0 :: held = 1 :: held = 2 :: held = 3 fi };
	do
	/* Signing in. */
#ifdef JUDGED_EARLY
	:: atomic { held > PASSWORD && holds -> verdict = judged }
	:: atomic { verdict && holds -> verdict = false; achieve(); session = true }
#else
	:: atomic { held > PASSWORD && holds && judged -> achieve(); session = true }
#endif
	/* The session of the browser, and a refresh token. */
#ifdef SILENT_UNJUDGED
	:: atomic { session -> achieve() }
#else
	:: atomic { session && judged -> achieve() }
#endif
#ifdef REFRESH_UNJUDGED
	:: atomic { session -> achieve() }
#else
	:: atomic { session && judged -> achieve() }
#endif
	/* A method of the thief's own: begun, and answered later. */
	:: atomic { holds && begins -> begun = true; since = 0 }
	:: atomic {
		begun && holds && ends ->
			achieve();
			begun = false;
			since = 0;
			any(m);
			if :: m > held -> held = m; mine = true; session = false :: else fi;
			m = 0
	}
	/* Removal of a method of the person. */
	:: atomic {
		held > PASSWORD && holds && removes ->
			any(m);
			if :: own[m] -> achieve(); note_removal(m); noted[m] = true :: else fi;
			m = 0
	}
	od
}

/* The strongest method of the person lets the person in, once no stronger one of theirs counts. */
ltl owner { [] !refused }

/// Reaction of a scripted user to one question.
public indirect enum Reaction: Hashable, Sendable {
    /// Answers it rightly.
    case approve
    /// Cancels.
    case deny
    /// Cancels, and reports that the user did not begin the operation; where that cannot be reported, cancels.
    case denyAndReport
    /// Enters a secret that is wrong; where none is asked for, cancels.
    case wrongSecret
    /// Enters exactly this; as the choice of an account or authenticator, chooses it.
    case enter(String)
    /// Answers rightly, then cancels and answers again: only the first may count.
    case approveAndRepent
    /// Releases the question without an answer.
    case drop
    /// Keeps the question and never answers.
    case vanish
    /// Waits, then reacts.
    case after(Duration, Reaction)
}

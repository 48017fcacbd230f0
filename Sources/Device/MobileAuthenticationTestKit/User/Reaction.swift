/// What a scripted user does with one question.
public indirect enum Reaction: Hashable, Sendable {
    /// Answers it rightly.
    case approve
    /// Cancels.
    case deny
    /// Cancels, and says that he did not begin the operation; where that cannot be said, cancels.
    case denyAndReport
    /// Enters a secret that is wrong; where none is asked for, cancels.
    case wrongSecret
    /// Enters exactly this; as the choice of an account or authenticator, chooses it.
    case enter(String)
    /// Answers rightly, then cancels and answers again: only the first may count.
    case approveAndRepent
    /// Lets go of the question without an answer.
    case drop
    /// Keeps the question and never answers.
    case vanish
    /// Waits, then reacts.
    case after(Duration, Reaction)
}

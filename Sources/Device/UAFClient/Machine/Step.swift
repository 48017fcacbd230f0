/// Next step of a machine.
package enum Step<Effect, Output, Failure: Error> {
    /// An effect to perform; its result resumes the machine.
    case perform(Effect)
    case finish(Result<Output, Failure>)
}

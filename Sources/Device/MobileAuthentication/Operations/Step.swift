/// What a machine wants.
package enum Step<Effect, Output, Failure: Error> {
    /// Do this, then tell what came of it.
    case perform(Effect)
    /// The operation has ended.
    case finish(Result<Output, Failure>)
}

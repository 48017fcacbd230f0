/// The rules of one operation, without anything that waits.
///
/// A machine says what is to be done next, is told what came of it, and in the end how the operation ended. It has no
/// clock, no randomness, no network and no store. A finished machine answers every event with the same finish.
package protocol OperationMachine<Event, Effect>: ~Copyable {
    /// What can happen to the operation.
    associatedtype Event: Sendable
    /// What the operation can ask for.
    associatedtype Effect: OperationEffect
    /// What a successful operation gives.
    associatedtype Output: Sendable
    /// How an operation fails.
    associatedtype Failure: Error

    /// Begins.
    mutating func start() -> Step<Effect, Output, Failure>

    /// Goes on after something has happened.
    mutating func resume(_ event: Event) -> Step<Effect, Output, Failure>

    /// The event that tells the machine that the operation was canceled from outside.
    ///
    /// It comes instead of an effect: what the machine asked for last was not begun.
    static var cancellation: Event { get }
}

/// Something that the SDK does once.
///
/// Every access to a property of ``Operations`` gives a new operation; executing one a second time is an error.
public protocol Operation: Sendable {
    /// Starts the operation; its end is told to exactly one of the closures, once, on the main actor.
    func execute()

    /// Ends the operation as if the user had canceled it; does nothing when it has ended.
    func cancel()
}

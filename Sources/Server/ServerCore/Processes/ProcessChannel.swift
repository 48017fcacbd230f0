/// Channel between the server processes on one database.
package protocol ProcessChannel: Sendable {
    /// Hands a message to the channel, and never waits: what finds no place is dropped and counted by the channel.
    func send(_ message: ProcessMessage)

    /// Calls `handler` with each message of the other processes from now on, on a thread of the channel.
    ///
    /// The handler must not wait for anything. A further call replaces the handler.
    func receive(_ handler: @escaping @Sendable (ProcessMessage) -> Void)
}

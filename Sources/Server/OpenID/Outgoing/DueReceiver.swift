/// Receiver for which messages are due.
package struct DueReceiver: Sendable, Hashable {
    /// Messages that are counted for each receiver at most.
    package static let countLimit = 100

    package let receiver: OutgoingReceiver
    /// Number of its messages that are due, at most ``countLimit``.
    package let count: Int

    package init(_ receiver: OutgoingReceiver, count: Int) {
        self.receiver = receiver
        self.count = count
    }
}

package import ServerCore
import Synchronization

/// Link between servers of one test, which takes what one says to all the others as octets.
package final class ProcessLink: Sendable {
    private final class Channel: ProcessChannel {
        private let link: ProcessLink
        let handler = Mutex<(@Sendable (ProcessMessage) -> Void)?>(nil)

        init(_ link: ProcessLink) {
            self.link = link
        }

        func send(_ message: ProcessMessage) { link.deliver(message, from: self) }

        func receive(_ handler: @escaping @Sendable (ProcessMessage) -> Void) {
            self.handler.withLock { $0 = handler }
        }
    }

    /// Leadership that another process has.
    package struct Follower: Leadership {
        /// A follower.
        package init() {}

        package func leads(_ duty: LeadershipDuty) async -> Bool { false }
    }

    private let channels = Mutex<[Channel]>([])
    private let log = Mutex<[ProcessMessage]>([])
    private let isCut = Mutex(false)

    /// A link to no process.
    package init() {}

    /// Messages so far, those that were lost included.
    package var sent: [ProcessMessage] { log.withLock { $0 } }

    /// Loses every message from now on, or none.
    package func setCut(_ isCut: Bool) { self.isCut.withLock { $0 = isCut } }

    /// Ports of a further server on the link.
    package func ports(
        name: String? = nil, leadership: any Leadership = ProcessPorts.Alone()
    ) -> ProcessPorts {
        let presence = name.map { ProcessPorts.Presence.named($0) } ?? .instance
        let channel = Channel(self)
        channels.withLock { $0.append(channel) }
        return ProcessPorts(presence: presence, channel: channel, leadership: leadership)
    }

    private func deliver(_ message: ProcessMessage, from sender: Channel) {
        log.withLock { $0.append(message) }
        guard !isCut.withLock({ $0 }) else { return }
        var batch = ProcessMessageBatch()
        _ = batch.add(message)
        let datagrams = batch.datagrams(atMost: ProcessMessageBatch.leastDatagram)
        for channel in channels.withLock({ $0 }) where channel !== sender {
            guard let handler = channel.handler.withLock({ $0 }) else { continue }
            for datagram in datagrams { ProcessMessageBatch.messages(in: datagram).forEach(handler) }
        }
    }
}

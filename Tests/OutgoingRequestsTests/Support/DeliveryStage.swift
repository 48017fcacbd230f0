import Octets
import OpenID
import OutgoingRequests
import ServerCore
import TestSupport
import Testing

/// Worker on a storage in memory, with two receivers of webhooks.
struct DeliveryStage {
    let storage = MemoryTransactionRunner()
    let clock = ManualClock()
    let random = SeededRandom()
    let log = RecordedLog()
    var receivers: [OpenIDSettings.Webhook]
    var settings = OpenIDSettings.Outgoing()

    init() throws {
        receivers = try ["shop", "bank"].map { try Self.receiver($0, at: "https://\($0).example/hook") }
    }

    /// Receiver of webhooks.
    static func receiver(
        _ name: String, at address: String, events: Set<OpenIDSettings.Webhook.Event> = [.confirmed, .removed]
    ) throws -> OpenIDSettings.Webhook {
        OpenIDSettings.Webhook(
            name: try #require(AccessKeyName(name)), address: try #require(OutgoingAddress(address)),
            events: events, secret: Sensitive([UInt8](repeating: 7, count: 32)))
    }

    /// Lines of the log, without the identifiers of messages.
    var lines: [String] { log.entries.map { $0.line(without: "id") } }

    var ports: DeliveryPorts {
        DeliveryPorts(
            transactions: storage, clock: clock, wall: clock, random: random, leadership: ProcessPorts.Alone(),
            logger: log.logger)
    }

    func worker(_ sender: any OutgoingSender) -> DeliveryWorker {
        DeliveryWorker(settings, makers: [WebhookMaker(receivers)], sender: sender, ports: ports)
    }

    /// Adds messages for a receiver, a millisecond apart; their identifiers in order.
    func add(_ count: Int, for receiver: String = "shop") -> [String] {
        (0..<count).map { _ in
            clock.advance(by: .milliseconds(1))
            let message = OutgoingMessage(
                id: OutgoingMessageID(from: random), kind: .webhook, destination: receiver, content: Array("{}".utf8),
                createdAt: clock.now())
            storage.change { $0.messages.append(message) }
            return message.id.text
        }
    }
}

import ServerCore

/// Receiver of messages of one kind, to which one request goes at a time.
struct DeliveryQueueReceiver: Sendable, Hashable {
    let kind: OutgoingMessage.Kind
    let name: String
}

/// Messages that one receiver gets one after the other.
struct DeliveryQueue: Sendable {
    let receiver: DeliveryQueueReceiver
    let messages: [OutgoingMessage]

    /// Queues of messages, in the order in which their receivers come first.
    static func queues(of messages: [OutgoingMessage]) -> [DeliveryQueue] {
        var order: [DeliveryQueueReceiver] = []
        var grouped: [DeliveryQueueReceiver: [OutgoingMessage]] = [:]
        for message in messages {
            let receiver = DeliveryQueueReceiver(kind: message.kind, name: message.destination)
            if grouped[receiver] == nil { order.append(receiver) }
            grouped[receiver, default: []].append(message)
        }
        return order.map { DeliveryQueue(receiver: $0, messages: grouped[$0] ?? []) }
    }
}

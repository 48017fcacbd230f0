import Foundation

/// Push messages that come while a person uses the phone: each is announced at once, and stays until it is answered.
@MainActor
final class ConsolePushes {
    private static let pause = Duration.seconds(5)

    /// Where they are announced.
    nonisolated let notices = TerminalNotices()
    private let folder: PhoneFolder
    private var arrived: [PushMessage] = []

    init(folder: PhoneFolder) {
        self.folder = folder
    }

    /// The message that has waited longest.
    var oldest: PushMessage? { arrived.first }

    /// The person has taken a message: it does not come again.
    func take(_ message: PushMessage) throws {
        arrived.removeAll { $0 == message }
        guard var subscription = try folder.subscription() else { return }
        subscription.lastNumber = max(subscription.lastNumber, message.number)
        try folder.keep(subscription)
    }

    /// Waits for messages until the task is cancelled; without an address for them there is nothing to wait for.
    func listen() async {
        guard var subscription = try? folder.subscription(),
            let client = try? PushSinkClient(sink: subscription.sink, authorities: subscription.authorities)
        else { return }
        var isSilent = false
        while !Task.isCancelled {
            do throws(CommandFailure) {
                for message in try await client.messages(for: subscription, within: .seconds(60)) {
                    subscription.lastNumber = max(subscription.lastNumber, message.number)
                    announce(message)
                }
                isSilent = false
            } catch {
                // Once is enough until the sink answers again; a phone without push messages still works.
                if !isSilent, !Task.isCancelled { notices.post("Push messages do not arrive: \(error.message).") }
                isSilent = true
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    private func announce(_ message: PushMessage) {
        arrived.append(message)
        let title = [message.title, message.body].compactMap(\.self).map(ForeignText.name).joined(separator: ": ")
        notices.post("A push message has come\(title.isEmpty ? "" : " (\(title))"): answer shows it.")
    }
}

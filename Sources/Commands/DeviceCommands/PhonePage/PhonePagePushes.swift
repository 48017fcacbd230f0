import CommandSupport
import Octets
import PhonePage

/// Push messages of a phone whose page is open: each is shown among what waits, and counts as taken then.
struct PhonePagePushes {
    private static let pause = Duration.seconds(5)

    let folder: PhoneFolder
    let page: PagePhone

    /// Receives messages until the task is canceled; returns at once without a push subscription.
    ///
    /// A sink that does not answer is asked again after a pause: the phone works without push messages.
    func listen() async {
        guard (try? folder.subscription()) != nil else { return }
        while !Task.isCancelled {
            do {
                _ = try await PushListener(folder: folder).next(within: .seconds(60)) { message in
                    let title = [message.title, message.body].compactMap(\.self).joined(separator: ": ")
                    await page.arrived(Sensitive(message.payload), title: title.isEmpty ? nil : title)
                }
            } catch {
                try? await Task.sleep(for: Self.pause)
            }
        }
    }
}

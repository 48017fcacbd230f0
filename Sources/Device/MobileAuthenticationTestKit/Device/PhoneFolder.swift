import Foundation

/// The folder of a pretended phone; it goes when the last that uses it goes.
final class PhoneFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appending(path: "test-phone-\(UUID().uuidString)").path(
            percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

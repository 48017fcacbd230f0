import Foundation

/// Folder of a simulated phone, deleted with the last object that uses it.
final class TemporaryPhoneFolder: Sendable {
    let path: String

    init() {
        path = FileManager.default.temporaryDirectory.appending(path: "test-phone-\(UUID().uuidString)").path(
            percentEncoded: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

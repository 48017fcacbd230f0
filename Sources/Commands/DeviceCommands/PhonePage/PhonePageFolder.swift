import CommandSupport
import Foundation
import MobileAuthentication
import Octets
import PhonePage
import Synchronization

final class PhonePageFolder: PhonePagePorts {
    private static let fileLimit = 200

    /// Base URL of the server for this run.
    let server: String
    private let phone: PhoneFolder
    private let client: any MobileAuthenticationClient
    private let lost = Mutex(false)

    init(_ phone: Phone) {
        self.phone = phone.folder
        client = phone.client
        server = phone.server.absoluteString
    }

    /// Whether the person has deleted the phone, whose folder goes at the end.
    var isLost: Bool { lost.withLock { $0 } }

    var folder: String { phone.path }

    var name: String { (try? phone.settings().name) ?? "Signet" }

    var pushToken: Sensitive<String>? {
        guard let subscription = try? phone.subscription() else { return nil }
        return Sensitive(subscription.token)
    }

    func payload(of text: String) throws -> OutOfBandPayload {
        try PayloadSource.text(text).payload(of: client)
    }

    func stored() -> [PhonePageStoredFile] {
        guard let names = FileManager.default.enumerator(atPath: phone.path) else { return [] }
        var files: [PhonePageStoredFile] = []
        while files.count < Self.fileLimit, let name = names.nextObject() as? String {
            let attributes = try? FileManager.default.attributesOfItem(atPath: phone.path + "/" + name)
            guard attributes?[.type] as? FileAttributeType == .typeRegular, let size = attributes?[.size] as? Int else {
                continue
            }
            files.append(PhonePageStoredFile(name: name, byteCount: size))
        }
        return files.sorted { $0.name < $1.name }
    }

    func rename(to name: String) throws { try phone.rename(to: name) }

    func lose() { lost.withLock { $0 = true } }
}

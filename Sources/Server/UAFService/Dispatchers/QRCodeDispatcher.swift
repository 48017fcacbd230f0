package import BackendAPI
package import Logging
import Octets
import QRCode
package import ServerCore

/// The dispatchers `png-qr-code` and `link-png-qr-code`: their response is the base64 of a PNG file.
package struct QRCodeDispatcher: Dispatcher {
    private let link: LinkAddress?
    private let logger: Logger
    package let requiresEncryption: Bool

    /// Draws codes of links to an address of the application, or, without one, of the payload itself.
    package init(link: LinkAddress?, requiresEncryption: Bool = false, logger: Logger) {
        self.link = link
        self.requiresEncryption = requiresEncryption
        self.logger = logger
    }

    package var name: DispatcherName { link == nil ? .pngQRCode : .linkPNGQRCode }
    package var requiresTarget: Bool { false }

    package func dispatch(_ parcel: DispatchPayload) async -> DispatchDelivery {
        let envelope = parcel.envelope.text
        let text = link?.link(carrying: envelope) ?? Base64URL.encode(Array(envelope.utf8))
        do throws(QRCodeError) {
            return .delivered(response: Base64.encode(try QRMatrix(encoding: text).png()), codeText: text)
        } catch {
            logger.warning("no QR code", metadata: ["dispatcher": "\(name.rawValue)", "reason": "\(error)"])
            return .failed(error == .encodingFailed ? .unavailable : .refused)
        }
    }
}

import BackendAPI
import Foundation

/// In which form a text carries a payload.
enum PayloadForm: Hashable {
    /// The document itself, as a push message brings it.
    case json(String)
    /// The text of a QR code, or of the parameter of a link.
    case base64URL(String)

    /// Looks at a text; that of a link is its parameter `dispatchTokenResponse`.
    ///
    /// Throws ``CommandFailure`` for a link without that parameter.
    init(_ text: String) throws(CommandFailure) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.hasPrefix("{") {
            self = .json(text)
        } else if text.contains(":") {
            self = .base64URL(try Self.parameter(of: text))
        } else {
            self = .base64URL(text)
        }
    }

    private static func parameter(of link: String) throws(CommandFailure) -> String {
        let values = URLComponents(string: link)?.queryItems?.filter { $0.name == OutOfBandEnvelope.linkParameter }
        guard let value = values?.first?.value, values?.count == 1, !value.isEmpty else {
            throw .local("BadLink", "the link has no parameter \(OutOfBandEnvelope.linkParameter), or more than one")
        }
        return value
    }
}

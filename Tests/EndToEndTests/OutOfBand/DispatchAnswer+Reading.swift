import BackendAPI
import Foundation
import TestSupport
import Testing

/// What stands in the answer to a dispatch, as people and their phones get it.
extension DispatchAnswer {
    /// The text in the picture of a QR code, read by foreign code.
    func scanned() throws -> String {
        let response = try #require(dispatcherInformation?.response, "not dispatched: \(result)")
        let picture = try #require(Data(base64Encoded: response), "no picture")
        return try #require(try ForeignQRReader().texts(inPNGs: [Array(picture)]).first)
    }

    /// The payload in a link.
    func linked() throws -> String {
        try Self.payload(inLink: try #require(dispatcherInformation?.response, "not dispatched: \(result)"))
    }

    /// The value of the parameter that carries the payload.
    static func payload(inLink link: String) throws -> String {
        let items = try #require(URLComponents(string: link)?.queryItems)
        return try #require(items.first { $0.name == OutOfBandEnvelope.linkParameter }?.value)
    }
}

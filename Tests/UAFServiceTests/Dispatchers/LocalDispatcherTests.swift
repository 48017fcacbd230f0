import BackendAPI
import Logging
import Octets
import QRCode
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("2.4: Links and QR codes", .enabled(if: ForeignQRReader.isInstalled, "\(ForeignQRReader.absence)"))
struct LocalDispatcherTests {
    private static let text =
        #"{"nma_data":{"token":"t","redeem_url":"https://a.example/r"},"nma_data_content_type":"application/json","nma_data_version":"1"}"#

    private func parcel(_ text: String = text) -> DispatchPayload {
        DispatchPayload(
            envelope: .init(content: "{}", contentType: "application/json", version: "1", text: text),
            destination: nil, notification: nil, operation: .authentication, createdAt: Timestamp(seconds: 0),
            expiresAt: Timestamp(seconds: 120))
    }

    private func address() throws -> LinkAddress { try #require(LinkAddress("https://link.example/open")) }

    private func text(of delivery: DispatchDelivery) throws -> String {
        guard case .delivered(let response, let codeText) = delivery else {
            Issue.record("\(delivery)")
            return ""
        }
        let text = try #require(try ForeignQRReader().texts(inPNGs: [Base64.decode(response)]).first)
        #expect(codeText == text, "who has drawn the code knows what it holds")
        return text
    }

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test("A link is the answer itself")
    func link() async throws {
        let dispatcher = LinkDispatcher(address: try address())
        #expect(
            await dispatcher.dispatch(parcel())
                == .delivered(response: try address().link(carrying: Self.text)))
        #expect(dispatcher.name == .link && !dispatcher.requiresTarget && !dispatcher.requiresEncryption)
        #expect(LinkDispatcher(address: try address(), requiresEncryption: true).requiresEncryption)
    }

    @Test("A QR code holds the base64url of the payload, and its answer is the base64 of a picture")
    func code() async throws {
        let dispatcher = QRCodeDispatcher(link: nil, logger: logger)
        #expect(dispatcher.name == .pngQRCode && !dispatcher.requiresTarget)
        let text = try text(of: await dispatcher.dispatch(parcel()))
        #expect(try OutOfBandEnvelope(base64URL: text).body == Array(Self.text.utf8))
    }

    @Test("A QR code with a link holds the URL that the link dispatcher gives")
    func linkCode() async throws {
        let dispatcher = QRCodeDispatcher(link: try address(), logger: logger)
        #expect(dispatcher.name == .linkPNGQRCode && !dispatcher.requiresTarget)
        #expect(try text(of: await dispatcher.dispatch(parcel())) == address().link(carrying: Self.text))
    }

    @Test("A payload that no code can hold is refused, one byte less is drawn")
    func tooLong() async throws {
        let dispatcher = QRCodeDispatcher(link: nil, logger: logger)
        // 2214 bytes are 2952 characters of base64url; there are no texts of 2953.
        let longest = parcel(String(repeating: "x", count: 2_214))
        #expect(try text(of: await dispatcher.dispatch(longest)).utf8.count == QRMatrix.maximumByteCount - 1)
        let longer = parcel(String(repeating: "x", count: 2_215))
        #expect(await dispatcher.dispatch(longer) == .failed(.refused))
    }
}

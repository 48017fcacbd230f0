import BackendAPI
import Crypto
import NIOCore
import NIOHTTP1

/// Channel handler that responds with as many bytes as a sign-in has, on the event loop, from memory.
///
/// Every second response verifies one signature and creates another one, as the result of a sign-in does.
final class FloorHandler: ChannelInboundHandler {
    typealias InboundIn = NIOHTTPServerRequestFull
    typealias OutboundOut = HTTPServerResponsePart

    private static let responsePath = Endpoint.serviceRoot + Endpoint.authenticationResponse.path

    private let key: P256.Signing.PrivateKey
    private let publicKey: P256.Signing.PublicKey
    private let digest: SHA256Digest
    private let signature: P256.Signing.ECDSASignature
    private let request = ByteBuffer(repeating: UInt8(ascii: "x"), count: FloorExchange.request.answered)
    private let response = ByteBuffer(repeating: UInt8(ascii: "x"), count: FloorExchange.response.answered)

    init(_ key: P256.Signing.PrivateKey) throws {
        self.key = key
        publicKey = key.publicKey
        digest = SHA256.hash(data: [UInt8](repeating: 1, count: 180))
        signature = try key.signature(for: digest)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let isResponse = unwrapInboundIn(data).head.uri == Self.responsePath
        let status: HTTPResponseStatus = isResponse && !isVerifiedAndSigned() ? .internalServerError : .ok
        let body = isResponse ? response : request
        let fields: HTTPHeaders = [
            "Content-Type": BackendAPI.MediaType.fidoUAF.fieldValue, "Content-Length": String(body.readableBytes),
        ]
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func isVerifiedAndSigned() -> Bool {
        publicKey.isValidSignature(signature, for: digest) && (try? key.signature(for: digest)) != nil
    }
}

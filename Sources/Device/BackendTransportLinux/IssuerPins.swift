package import BackendTransport
import Foundation
import Locking
import NIOCore
import NIOPosix
import NIOSSL

/// Pins of authorities, for connections of which the library gives out the server's own certificate only.
///
/// If that certificate's key is not pinned, a separate handshake with the same server, over which nothing is sent,
/// learns the issuing certificates and remembers them. The signature over the certificate of the connection in use
/// decides: a server that shows something else in the second handshake gains nothing.
final class IssuerPins: Sendable {
    /// Time limit of the second handshake.
    private static let patience = TimeAmount.seconds(30)

    private let host: String
    private let pinning: PublicKeyPinning
    private let known: [[UInt8]]
    private let shown = Lock<[[UInt8]]>([])

    /// Reads the authorities of the system as well, if there are pins.
    init(trust: TransportTrust, host: String) {
        self.host = host
        pinning = PublicKeyPinning(pins: trust.pins)
        known =
            trust.pins.isEmpty
            ? [] : pinning.pinned(among: trust.additionalCertificates + TransportTrust.systemIssuers())
    }

    /// Succeeds when a pinned authority is in the path of the certificate of a connection.
    ///
    /// Fails with ``TLSFailure/pinMismatch``, or with what kept the second handshake from happening.
    func requirePinned(behind certificate: [UInt8], of channel: any Channel) -> EventLoopFuture<Void> {
        if pinning.holds(certificate, shown: shown.withLock { $0 }, known: known) {
            return channel.eventLoop.makeSucceededVoidFuture()
        }
        guard let address = channel.remoteAddress else {
            return channel.eventLoop.makeFailedFuture(BackendTransportError.untrustedConnection(.pinMismatch))
        }
        return chain(shownAt: address, on: channel.eventLoop).flatMapThrowing { [self] chain in
            guard pinning.holds(certificate, shown: chain, known: known) else {
                throw BackendTransportError.untrustedConnection(.pinMismatch)
            }
            shown.withLock { $0 = chain }
        }
    }

    /// The certificates that a server shows; the handshake is broken off as soon as they are there.
    private func chain(shownAt address: SocketAddress, on loop: any EventLoop) -> EventLoopFuture<[[UInt8]]> {
        let promise = loop.makePromise(of: [[UInt8]].self)
        let deadline = loop.scheduleTask(in: Self.patience) { promise.fail(BackendTransportError.timedOut) }
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(Self.patience)
            .channelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(try handshake(reportingTo: promise))
                }
            }
        bootstrap.connect(to: address).whenComplete { result in
            switch result {
            case .failure(let error): promise.fail(error)
            case .success(let channel):
                channel.closeFuture.whenComplete { _ in promise.fail(BackendTransportError.noConnection) }
                promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
            }
        }
        promise.futureResult.whenComplete { _ in deadline.cancel() }
        return promise.futureResult
    }

    private func handshake(reportingTo promise: EventLoopPromise<[[UInt8]]>) throws -> NIOSSLClientHandler {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.trustRoots = .certificates([])
        configuration.applicationProtocols = ["http/1.1"]
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        return try NIOSSLClientHandler(
            context: try NIOSSLContext(configuration: configuration), serverHostname: isAddress ? nil : host,
            customVerificationCallback: { certificates, verdict in
                promise.completeWith(Result { try certificates.map { try $0.toDERBytes() } })
                verdict.succeed(.failed)
            })
    }
}

extension TransportTrust {
    private static let bundles = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]

    /// Trusted authorities of the system, where they are in one file (DER); none elsewhere.
    fileprivate static func systemIssuers() -> [[UInt8]] {
        for bundle in bundles where FileManager.default.fileExists(atPath: bundle) {
            let certificates = try? NIOSSLCertificate.fromPEMFile(bundle).map { try $0.toDERBytes() }
            return certificates ?? []
        }
        return []
    }
}

extension TransportTrust {
    /// Suites of TLS 1.2 with forward secrecy; the library fixes the suites of TLS 1.3.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    private static let suitesWithoutForwardSecrecy: [NIOTLSCipher] = [
        .TLS_RSA_WITH_AES_128_GCM_SHA256, .TLS_RSA_WITH_AES_256_GCM_SHA384,
    ]

    /// The certificates in a PEM file, as DER; what ``additionalCertificates`` takes.
    ///
    /// Throws ``BackendTransportError/unusableTrustSettings`` unless there is at least one.
    package static func certificates(inPEM text: [UInt8]) throws(BackendTransportError) -> [[UInt8]] {
        do {
            let certificates = try NIOSSLCertificate.fromPEMBytes(text).map { try $0.toDERBytes() }
            guard !certificates.isEmpty else { throw BackendTransportError.unusableTrustSettings }
            return certificates
        } catch {
            throw .unusableTrustSettings
        }
    }

    func tlsConfiguration() throws(BackendTransportError) -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues =
            Self.suites + (allowsSuitesWithoutForwardSecrecy ? Self.suitesWithoutForwardSecrecy : [])
        configuration.applicationProtocols = ["http/1.1"]
        do {
            let additional = try additionalCertificates.map { try NIOSSLCertificate(bytes: $0, format: .der) }
            configuration.additionalTrustRoots = additional.isEmpty ? [] : [.certificates(additional)]
        } catch {
            throw .unusableTrustSettings
        }
        // With any issuer allowed the inspector of the connection checks name and dates instead.
        if issuers.includesUnknown { configuration.certificateVerification = .none }
        return configuration
    }
}

// The names are Apple's, and so is their documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public typealias CFArray = [Any]
public typealias CFData = Data
public typealias CFIndex = Int

/// A certificate; the stand-in takes any octets but none.
public final class SecCertificate: Sendable {
    fileprivate let octets: Data

    fileprivate init(_ octets: Data) { self.octets = octets }
}

/// The certificates that a server shows.
///
/// The stand-in trusts a chain when one of its certificates is an anchor: one of the system, or one that was set.
public final class SecTrust {
    fileprivate let chain: [SecCertificate]
    fileprivate let systemAnchors: Set<Data>
    fileprivate let failure: Int?
    fileprivate var anchors: Set<Data> = []
    fileprivate var isRestricted = false

    /// A server with a chain, and the issuers of the system; `failure` is the code of what is wrong with any issuer.
    public init(chain: [Data], systemAnchors: Set<Data> = [], failure: Int? = nil) {
        self.chain = chain.map { SecCertificate($0) }
        self.systemAnchors = systemAnchors
        self.failure = failure
    }
}

public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    data.isEmpty ? nil : SecCertificate(data)
}

public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { certificate.octets }

public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { trust.chain }

@discardableResult
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ anchorCertificates: CFArray?) -> OSStatus {
    trust.anchors = Set((anchorCertificates ?? []).compactMap { ($0 as? SecCertificate)?.octets })
    trust.isRestricted = true
    return errSecSuccess
}

@discardableResult
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ anchorCertificatesOnly: Bool) -> OSStatus {
    trust.isRestricted = anchorCertificatesOnly
    return errSecSuccess
}

public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    let anchors = trust.anchors.union(trust.isRestricted ? [] : trust.systemAnchors)
    // errSecNotTrusted
    let failure = trust.failure ?? (trust.chain.contains { anchors.contains($0.octets) } ? nil : -67_843)
    error?.pointee = failure.map { CFError(code: $0) }
    return failure == nil
}

public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

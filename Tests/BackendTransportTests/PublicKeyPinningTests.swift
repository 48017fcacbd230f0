import BackendTransportLinux
import TestSupport
import Testing

@testable import BackendTransport

@Suite("D-L6: pins for keys of any kind, of servers and of authorities", .serialized, .timeLimit(.minutes(10)))
struct PublicKeyPinningTests {
    // No client of ours offers signatures of P-521 in a handshake; authorities may use it.
    @Test(
        "D-L6: the key of a server, of any kind, can be pinned",
        arguments: TestChain.KeyKind.allCases.filter { $0 != .p521 })
    func leaves(kind: TestChain.KeyKind) async throws {
        let chain = try TestChain(leaf: kind)
        #expect(try await get(chain, pins: [chain.leaf.pin]) == 200)
        await refuses(chain, pins: [try TestChain().leaf.pin])
    }

    @Test("D-L6: the key of an authority, of any kind, can be pinned", arguments: TestChain.KeyKind.allCases)
    func authorities(kind: TestChain.KeyKind) async throws {
        let chain = try TestChain(authorities: kind)
        #expect(try await get(chain, pins: [chain.intermediate.pin]) == 200)
        #expect(try await get(chain, pins: [chain.root.pin]) == 200)
        let other = try TestChain(authorities: kind)
        await refuses(chain, pins: [try other.intermediate.pin, try other.root.pin, try other.leaf.pin])
    }

    @Test("D-L6: a server that shows the pinned certificate of another server is refused")
    func foreignCertificate() async throws {
        let chain = try TestChain()
        let other = try TestChain()
        let shown = [try other.leaf.der, try other.intermediate.der, try other.root.der]
        await refuses(
            chain, pins: [try other.leaf.pin, try other.intermediate.pin, try other.root.pin], showing: shown)
    }

    @Test("D-L6: an unpinned server of a pinned authority that the first try learned is let in without another one")
    func remembered() async throws {
        let chain = try TestChain()
        let observer = LoopbackServer.Observer()
        let trust = TransportTrust(additionalCertificates: [try chain.root.der], pins: [try chain.intermediate.pin])
        try await LoopbackServer.run(try chain.tlsConfiguration(), observer: observer) { port in
            let transport = AsyncHTTPClientTransport(trust: trust) { 0 }
            for _ in 0..<3 {
                let response = try await transport.response(
                    to: BackendRequest(.get, "https://localhost:\(port)/hello", headers: [.init("Connection", "close")])
                )
                #expect(response.status == 200)
            }
        }
        #expect(observer.seen.count == 3)
    }

    @Test("D-L6: who is no authority cannot stand behind a certificate, pinned or not")
    func noAuthority() throws {
        let chain = try TestChain(intermediateIsAuthority: false)
        let shown = [try chain.intermediate.der, try chain.root.der]
        for pin in [try chain.intermediate.pin, try chain.root.pin] {
            #expect(!PublicKeyPinning(pins: [pin]).holds(try chain.leaf.der, shown: shown))
        }
        let sound = try TestChain()
        #expect(
            PublicKeyPinning(pins: [try sound.root.pin])
                .holds(try sound.leaf.der, shown: [try sound.intermediate.der, try sound.root.der]))
    }

    @Test("D-L6: a certificate with one changed bit stands behind nothing, and no changed byte traps")
    func damaged() throws {
        let chain = try TestChain()
        let der = try chain.leaf.der
        let pinning = PublicKeyPinning(pins: [try chain.intermediate.pin])
        let shown = [try chain.intermediate.der]
        #expect(pinning.holds(der, shown: shown))
        for position in der.indices {
            var changed = der
            changed[position] ^= 1 << (position % 8)
            // ECDSA signatures have more than one encoding of no byte: every change breaks one.
            #expect(!pinning.holds(changed, shown: shown), "byte \(position)")
            #expect(!pinning.holds(Array(der.prefix(position)), shown: shown))
        }
    }

    @Test("A server that changes to its backup key keeps every client that has pinned both, and loses one that has not")
    func rotation() async throws {
        let current = try TestChain()
        let backup = try current.renewed()
        let next = try backup.renewed()
        let (both, single) = ([try current.leaf.pin, try backup.leaf.pin] as Set, [try current.leaf.pin] as Set)
        #expect(try await get(current, pins: both) == 200)
        #expect(try await get(current, pins: single) == 200)
        #expect(try await get(backup, pins: both) == 200)
        await refuses(backup, pins: single)
        // The next release of the application drops the old key and names a new backup.
        let renewed: Set = [try backup.leaf.pin, try next.leaf.pin]
        #expect(try await get(backup, pins: renewed) == 200)
        #expect(try await get(next, pins: renewed) == 200)
        await refuses(current, pins: renewed)
    }

    @Test("A backup key of another authority is taken as well, once the application trusts that authority")
    func otherAuthority() async throws {
        let (current, backup) = (try TestChain(), try TestChain())
        let pins: Set = [try current.leaf.pin, try backup.leaf.pin]
        #expect(try await get(current, pins: pins) == 200)
        #expect(try await get(backup, pins: pins) == 200)
    }

    @Test("A trusted but different certificate is taken without pins, and refused with them")
    func different() async throws {
        let own = try TestChain()
        let other = try own.renewed()
        #expect(try await get(other, pins: []) == 200)
        await refuses(other, pins: [try own.leaf.pin])
    }

    @Test("D-L6: on Apple platforms a pin may name any certificate of the validated chain")
    func validatedChain() throws {
        for kind in [TestChain.KeyKind.p256, .rsa] {
            let chain = try TestChain(authorities: kind, leaf: kind)
            let members = [chain.leaf, chain.intermediate, chain.root]
            let verdict = PlatformVerdict(isTrusted: true, status: nil, chain: try members.map { try $0.der })
            for member in members { #expect(verdict.failure(pins: [try member.pin]) == nil) }
            #expect(verdict.failure(pins: []) == nil)
            #expect(verdict.failure(pins: [try TestChain().leaf.pin]) == .pinMismatch)
        }
    }

    private func get(
        _ chain: TestChain, pins: Set<PublicKeyPin>, showing more: [[UInt8]] = [],
        observer: LoopbackServer.Observer = .init()
    ) async throws -> Int {
        let trust = TransportTrust(additionalCertificates: [try chain.root.der], pins: pins)
        return try await LoopbackServer.response(
            try chain.tlsConfiguration(showing: more), trust, observer: observer
        ) { BackendRequest(.get, $0 + "/hello") }.status
    }

    private func refuses(_ chain: TestChain, pins: Set<PublicKeyPin>, showing more: [[UInt8]] = []) async {
        let observer = LoopbackServer.Observer()
        await #expect(throws: BackendTransportError.untrustedConnection(.pinMismatch)) {
            _ = try await get(chain, pins: pins, showing: more, observer: observer)
        }
        #expect(observer.seen.isEmpty)
    }
}

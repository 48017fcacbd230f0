import CNIOBoringSSL
import NIOCore
package import NIOSSL
import Synchronization

/// Sessions of TLS that a client keeps and offers to the next server, which NIOSSL has no functions for.
///
/// One for a client and its context. The session that a server has sent last is offered, however often.
package final class TLSSessions: Sendable {
    /// Error of a library whose contexts or connections have other members than known here.
    package struct UnknownLibrary: Error {}

    /// Pointer to an object of BoringSSL whose functions are safe on any thread.
    private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// Sessions by the address of their context.
    private static let latest = Mutex<[UInt: Handle]>([:])

    private let context: NIOSSLContext
    private let handle: Handle

    /// Keeps the sessions of a context for clients.
    package init(of context: NIOSSLContext) throws {
        guard let pointer = Self.member("sslContext", of: Mirror(reflecting: context)) else { throw UnknownLibrary() }
        self.context = context
        handle = Handle(pointer: pointer)
        SSL_CTX_set_session_cache_mode(pointer, SSL_SESS_CACHE_CLIENT)
        SSL_CTX_sess_set_new_cb(pointer) { connection, session in
            guard let connection, let session, let context = SSL_get_SSL_CTX(connection) else { return 0 }
            TLSSessions.keep(Handle(pointer: session), of: context)
            return 1
        }
    }

    deinit { Self.keep(nil, of: handle.pointer) }

    /// Handler of a new connection, which offers the session kept.
    package func handler(serverHostname: String? = nil) throws -> NIOSSLClientHandler {
        let handler = try NIOSSLClientHandler(context: context, serverHostname: serverHostname)
        guard let connection = Self.connection(of: handler) else { throw UnknownLibrary() }
        Self.latest.withLock { latest in
            guard let session = latest[Self.key(handle.pointer)] else { return }
            SSL_set_session(connection, session.pointer)
        }
        return handler
    }

    /// Whether there is a session to offer.
    package var isEmpty: Bool { Self.latest.withLock { $0[Self.key(handle.pointer)] == nil } }

    /// Whether the session kept lets data be sent before the handshake ends.
    package var allowsEarlyData: Bool {
        Self.latest.withLock { latest in
            latest[Self.key(handle.pointer)].map { SSL_SESSION_early_data_capable($0.pointer) == 1 } ?? false
        }
    }

    /// Puts other octets in the place of the ticket of the session kept.
    package func forgeTicket(_ octets: [UInt8]) {
        Self.latest.withLock { latest in
            guard let session = latest[Self.key(handle.pointer)] else { return }
            SSL_SESSION_set_ticket(session.pointer, octets, octets.count)
        }
    }

    /// Whether the connection of a handler, whose handshake is done, has resumed a session.
    package static func isResumed(_ handler: NIOSSLClientHandler) throws -> Bool {
        guard let connection = connection(of: handler) else { throw UnknownLibrary() }
        return SSL_session_reused(connection) == 1
    }

    /// Takes a reference of its own, or drops what there is.
    private static func keep(_ session: Handle?, of context: OpaquePointer) {
        let former = latest.withLock { latest in
            defer { latest[key(context)] = session }
            return latest[key(context)]
        }
        if let former { SSL_SESSION_free(former.pointer) }
    }

    private static func key(_ context: OpaquePointer) -> UInt { UInt(bitPattern: context) }

    private static func connection(of handler: NIOSSLClientHandler) -> OpaquePointer? {
        let members = Mirror(reflecting: handler).superclassMirror?.children
        guard let connection = members?.first(where: { $0.label == "connection" })?.value else { return nil }
        return member("ssl", of: Mirror(reflecting: connection))
    }

    private static func member(_ name: String, of mirror: Mirror) -> OpaquePointer? {
        mirror.children.first { $0.label == name }?.value as? OpaquePointer
    }
}

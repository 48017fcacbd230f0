import Foundation
import HTTPEngine

/// Certificates for tests that open no connection.
enum Certificates {
    static func loopback() throws -> ServerIdentity {
        try LoopbackAuthority.make(now: Date.now).identity(now: Date.now).identity
    }
}

import BackendTransport
import Locking
import NIOCore
import NIOHTTP1

/// Facts of connections to one host, by the marks on their responses.
final class MarkedFacts: Sendable {
    /// Facts that are remembered at most: more than any host has certificates, few enough for a hostile one.
    private static let limit = 64

    private struct State {
        var facts: [String: ConnectionFacts] = [:]
        var count = 0
    }

    private let state = Lock(State())

    /// Remembers the facts of a connection, and has its responses bear a mark; for the event loop of the connection.
    ///
    /// Throws an error of the library when the connection has no decoder of responses.
    func mark(_ channel: any Channel, with facts: ConnectionFacts) throws {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(ConnectionMark(value(for: facts)), position: .after(decoder))
    }

    private func value(for facts: ConnectionFacts) -> String {
        state.withLock { state in
            if let known = state.facts.first(where: { $0.value == facts })?.key { return known }
            if state.facts.count >= Self.limit { state.facts = [:] }
            state.count += 1
            state.facts[String(state.count)] = facts
            return String(state.count)
        }
    }

    /// Facts of the connection that a response came over; nil for a response without a mark, or one long forgotten.
    func facts(of headers: HTTPHeaders) -> ConnectionFacts? {
        guard let value = headers.first(name: ConnectionMark.field) else { return nil }
        return state.withLock { $0.facts[value] }
    }
}

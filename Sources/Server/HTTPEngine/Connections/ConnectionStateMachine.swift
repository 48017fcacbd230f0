import NIOCore
import NIOHTTP1

/// State of one connection behind the decoder: one request after the other, then an end.
///
/// It does nothing itself: each event returns what ``RequestGate`` has to do. A request is let through when the answer before it has
/// been written and the pause behind that is over; until then its parts wait here. The deadline of a moment follows from the state,
/// so that at most one runs.
struct ConnectionStateMachine {
    typealias Part = HTTPServerRequestPart

    /// Event that has to happen before its time is over.
    enum Deadline: Hashable {
        case nextRequest
        /// The request that has begun is complete.
        case request
        case answer
        /// The last answer leaves, and the client says that nothing more comes.
        case closing
        /// The same, while the client still sends the request that was answered.
        case discarding
    }

    /// Step of the gate after something has arrived, or has waited, or its time is over.
    enum Step {
        case nothing
        case begin(Part)
        case pass(Part)
        case complete(Part)
        /// Answer a request that cannot be read: this head stands for it, and it is the last.
        case refuse(HTTPRequestHead, RequestFault)
        /// Tell the reader of the request that it never becomes complete.
        case breakOff(RequestFault)
        case passError(any Error)
        /// Give the request up wherever it waits.
        case giveUp
        case close
    }

    /// Step of the gate when the client has said that nothing more comes.
    enum InputEnd: Hashable {
        case wait
        case passOn
        case close
    }

    /// Step of the gate for the end of an answer.
    enum AnswerEnd: Hashable {
        case drop
        /// Write it; requests wait where `isPipelined`.
        case next(isPipelined: Bool)
        /// Write it, and end the connection when it has left.
        case last
    }

    /// Part of the connection that is closed.
    enum Closing: Hashable {
        case all
        case output
        /// All of it without waiting for a farewell of TLS, which has been said.
        case belowTLS
    }

    /// Event behind a request that is not answered.
    enum Item {
        case part(Part)
        case failure(any Error)
        case inputEnd
    }

    /// Request whose last octet has not been read.
    enum Arrival: Hashable {
        case unanswered(isLast: Bool)
        /// Its answer has begun, and is the last.
        case answered
        /// It never becomes complete, and its reader knows; its answer may have begun.
        case broken(isAnswered: Bool)
    }

    /// Rest of what the client sends, behind the last answer.
    enum Rest: Hashable {
        /// Nothing that counts; it is not even read where nothing can be decoded any more.
        case nothing(isRead: Bool)
        /// The request that was answered; so many octets of it were discarded.
        case request(discarded: Int)
    }

    enum State: Hashable {
        /// No request is read or answered; octets of the next one have arrived, decoded or not, where it has begun.
        case between(hasBegun: Bool)
        /// A request is read, and may be answered.
        case arriving(Arrival)
        /// A request is complete, and its answer is owed or being written; octets of the next one may have arrived.
        case answering(isBegun: Bool, isLast: Bool, nextHasBegun: Bool)
        /// The last answer is on its way.
        case leaving(Rest)
        /// The last answer has left.
        case left(Rest)
        case closed
    }

    /// Octets discarded after an answer; a client that sends more does not listen.
    static let discardLimit = 256 * 1_024

    private(set) var state = State.between(hasBegun: false)
    /// Events that wait, in their order; while there are none, a request that arrives is let through at once.
    private(set) var backlog = CircularBuffer<Item>()
    /// A read that was asked for while something waits.
    private(set) var holdsRead = false
    private(set) var hasInputEnded = false

    var deadline: Deadline? {
        switch state {
        // The pause before a request that waits has an end.
        case .between where !backlog.isEmpty: nil
        case .between(let hasBegun): hasBegun ? .request : .nextRequest
        case .arriving(.unanswered), .arriving(.answered): .request
        case .answering(isBegun: false, isLast: _, nextHasBegun: _): .answer
        case .arriving(.broken), .answering, .closed: nil
        case .leaving(.nothing), .left(.nothing): .closing
        case .leaving(.request), .left(.request): .discarding
        }
    }

    /// Whether requests and answers go on.
    var isOpen: Bool {
        switch state {
        case .between, .arriving, .answering: true
        case .leaving, .left, .closed: false
        }
    }

    // MARK: - From the client

    /// Octets have arrived, and are not decoded yet; blank lines before a request are none of it (RFC 9112, 2.2): they begin nothing.
    mutating func octetsArrived(isBlank: @autoclosure () -> Bool) {
        switch state {
        case .between(hasBegun: false) where !isBlank(): state = .between(hasBegun: true)
        case .answering(let isBegun, let isLast, nextHasBegun: false) where !isBlank():
            state = .answering(isBegun: isBegun, isLast: isLast, nextHasBegun: true)
        default: break
        }
    }

    mutating func received(_ part: Part) -> Step {
        switch state {
        case .answering: return keep(.part(part))
        case .between, .arriving: return backlog.isEmpty ? letThrough(part) : keep(.part(part))
        case .leaving(let rest):
            let (rest, step) = Self.discard(part, rest)
            state = .leaving(rest)
            return step
        case .left(let rest):
            if case (.request, .end) = (rest, part) { return .close }
            let (rest, step) = Self.discard(part, rest)
            state = .left(rest)
            return step
        case .closed: return .nothing
        }
    }

    private mutating func keep(_ item: Item) -> Step {
        backlog.append(item)
        return .nothing
    }

    private mutating func letThrough(_ part: Part) -> Step {
        switch (part, state) {
        case (.head(let head), .between):
            if let fault = HeadRule.fault(of: head) { return refuse(head, fault) }
            // What follows a request for another protocol is not decoded; this server speaks no other one.
            state = .arriving(.unanswered(isLast: !head.isKeepAlive || head.asksForOtherProtocol))
            return .begin(part)
        case (.end, .arriving(.unanswered(let isLast))):
            state = .answering(isBegun: false, isLast: isLast, nextHasBegun: false)
            return .complete(part)
        case (.end, .arriving(.answered)):
            state = .answering(isBegun: true, isLast: true, nextHasBegun: false)
            return .complete(part)
        case (.body, .arriving(.unanswered)), (.body, .arriving(.answered)): return .pass(part)
        default: return .nothing
        }
    }

    private static func discard(_ part: Part, _ rest: Rest) -> (Rest, Step) {
        switch (rest, part) {
        case (.request(let count), .body(let octets)):
            let count = count + octets.readableBytes
            return (.request(discarded: count), count > discardLimit ? .close : .nothing)
        case (.request, .end): return (.nothing(isRead: true), .nothing)
        default: return (rest, .nothing)
        }
    }

    /// Nothing that follows this head is read.
    private mutating func refuse(_ head: HTTPRequestHead, _ fault: RequestFault) -> Step {
        state = .arriving(.broken(isAnswered: false))
        return .refuse(head, fault)
    }

    mutating func failed(_ error: any Error) -> Step {
        switch state {
        case .answering: return keep(failure: error)
        case .between, .arriving: return backlog.isEmpty ? letThrough(failure: error) : keep(failure: error)
        case .leaving(.nothing): state = .leaving(.nothing(isRead: false))
        case .left(.nothing): state = .left(.nothing(isRead: false))
        case .leaving, .left, .closed: break
        }
        return .nothing
    }

    /// A decoder that has failed says so again for all that arrives.
    private mutating func keep(failure error: any Error) -> Step { isUndecodable ? .nothing : keep(.failure(error)) }

    private var isUndecodable: Bool {
        backlog.contains { if case .failure = $0 { true } else { false } }
    }

    private mutating func letThrough(failure error: any Error) -> Step {
        guard case .arriving(let arrival) = state else {
            guard let error = error as? HTTPParserError else { return .passError(error) }
            return refuse(HeadRule.unreadable, RequestFault(headError: error))
        }
        return breakOff(arrival, RequestFault(bodyError: error))
    }

    private mutating func breakOff(_ arrival: Arrival, _ fault: RequestFault) -> Step {
        if case .broken = arrival { return .nothing }
        state = .arriving(.broken(isAnswered: arrival == .answered))
        return .breakOff(fault)
    }

    /// The client has said that nothing more comes.
    ///
    /// Requests that wait go before: the reader that hears it reads no further.
    mutating func inputEnded() -> InputEnd {
        hasInputEnded = true
        switch state {
        case .left: return .close
        case .between, .arriving, .answering:
            guard !backlog.isEmpty else { return .passOn }
            backlog.append(.inputEnd)
            return .wait
        case .leaving, .closed: return .passOn
        }
    }

    /// The connection is closed; the fault belongs to a request that was not complete.
    mutating func becameInactive() -> RequestFault? {
        defer { state = .closed }
        backlog.removeAll()
        switch state {
        case .arriving(.unanswered), .arriving(.answered): return .incompleteBody
        default: return nil
        }
    }

    /// The reader of requests asks for more; false while something waits, or where nothing can be decoded any more.
    mutating func asksForRead() -> Bool {
        holdsRead = !mayRead
        return !holdsRead
    }

    private var mayRead: Bool {
        switch state {
        case .between, .arriving, .answering: backlog.isEmpty
        case .leaving(.nothing(let isRead)), .left(.nothing(let isRead)): isRead
        case .leaving, .left, .closed: true
        }
    }

    // MARK: - What waits

    /// The next step for what waits; nil when nothing does, or the request before it is not answered.
    mutating func takeWaiting() -> Step? {
        switch (state, backlog.first) {
        case (.between, .part(let part)?), (.arriving, .part(let part)?):
            backlog.removeFirst()
            return letThrough(part)
        case (.between, .failure(let error)?), (.arriving, .failure(let error)?):
            backlog.removeFirst()
            return letThrough(failure: error)
        default: return nil
        }
    }

    /// True once, when all is let through behind which the client has said that nothing more comes.
    mutating func takeInputEnd() -> Bool {
        guard case .inputEnd? = backlog.first else { return false }
        backlog.removeFirst()
        return true
    }

    /// True once, when a read was held that may go on.
    mutating func takeRead() -> Bool {
        guard holdsRead, mayRead else { return false }
        holdsRead = false
        return true
    }

    // MARK: - To the client

    /// An answer begins, which says itself whether it is the last; whether it is, nil where none is owed.
    mutating func answerBegins(isLast: Bool) -> Bool? {
        switch state {
        case .arriving(.unanswered):
            state = .arriving(.answered)
            return true
        case .arriving(.broken(isAnswered: false)):
            state = .arriving(.broken(isAnswered: true))
            return true
        case .answering(isBegun: false, let isKnownLast, let nextHasBegun):
            state = .answering(isBegun: true, isLast: isLast || isKnownLast, nextHasBegun: nextHasBegun)
            return isLast || isKnownLast
        case .between, .arriving, .answering, .leaving, .left, .closed: return nil
        }
    }

    mutating func answerEnds() -> AnswerEnd {
        switch state {
        case .answering(isBegun: _, isLast: false, let nextHasBegun):
            state = .between(hasBegun: nextHasBegun)
            if case .part? = backlog.first { return .next(isPipelined: true) }
            return .next(isPipelined: false)
        case .answering: return leave(.nothing(isRead: !isUndecodable))
        case .arriving: return leave(.request(discarded: 0))
        case .between, .leaving, .left, .closed: return .drop
        }
    }

    private mutating func leave(_ rest: Rest) -> AnswerEnd {
        state = .leaving(rest)
        backlog.removeAll()
        return .last
    }

    /// The last octets of the last answer have left.
    ///
    /// A connection whose client has sent all is closed at once. Another one only says that nothing more comes: to close it on unread
    /// octets would take the answer away.
    mutating func lastAnswerLeft() -> [Closing] {
        guard case .leaving(let rest) = state else { return [] }
        state = .left(rest)
        let closing: Closing = if case .nothing = rest { .all } else { .output }
        return hasInputEnded ? [closing, .belowTLS] : [closing]
    }

    // MARK: - Deadlines

    mutating func expired() -> Step {
        switch state {
        case .between(hasBegun: true): return refuse(HeadRule.unreadable, .headTooSlow)
        case .between, .leaving, .left: return .close
        case .arriving(.unanswered(let isLast)): return breakOff(.unanswered(isLast: isLast), .bodyTooSlow)
        case .answering(isBegun: false, isLast: _, nextHasBegun: _): return .giveUp
        case .arriving, .answering, .closed: return .nothing
        }
    }
}

extension HTTPRequestHead {
    /// Whether the octets behind the request are of another protocol, if the server goes along (RFC 9110, 7.8 and 9.3.6).
    fileprivate var asksForOtherProtocol: Bool { method == .CONNECT || headers.contains(name: "upgrade") }
}

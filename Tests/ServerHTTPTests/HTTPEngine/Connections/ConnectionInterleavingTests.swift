import NIOCore
import NIOHTTP1
import Testing

@testable import HTTPEngine

/// All that clients, routes and clocks can do to a connection, in every order up to some length.
@Suite("Connections: every interleaving of requests, answers, faults and deadlines keeps the rules")
struct ConnectionInterleavingTests {
    @Test(
        "One request at a time, each is answered or broken off once, nothing follows the end, and each connection ends")
    func all() {
        var (lives, seen): ([ConnectionLife], Set<ConnectionLife.Fingerprint>) = ([ConnectionLife()], [])
        var faults: [String] = []
        for _ in 0..<ConnectionLife.depth {
            var next: [ConnectionLife] = []
            for life in lives {
                for event in ConnectionLife.Event.allCases where life.permits(event) {
                    var life = life
                    life.play(event)
                    faults += life.faults
                    if life.faults.isEmpty, seen.insert(life.fingerprint).inserted {
                        faults += life.faultsOfTheEnd()
                        next.append(life)
                    }
                }
            }
            lives = next
        }
        #expect(faults.isEmpty, "\(faults.count): \(faults.prefix(5))")
        #expect(seen.count > 2_000, "\(seen.count) states")
    }

    @Test("The two rules of an answer hold though nothing is owed: it is not begun, and its end is dropped")
    func unasked() {
        var machine = ConnectionStateMachine()
        #expect(machine.answerBegins(isLast: false) == nil && machine.answerEnds() == .drop)
    }
}

/// A connection with its decoder, its routes and its channel, as far as the machine knows of them.
private struct ConnectionLife {
    enum Event: CaseIterable {
        case octets, blankLine, head, lastHead, headOfOtherProtocol, headWithoutHost, body, end, decoderFails
        case connectionFails, inputEnds, connectionCloses, readerAsks, answerBegins, lastAnswerBegins, answerEnds
        case lastOctetLeaves, pauseEnds, timePasses
    }

    /// What the reader of requests has got.
    private enum Reader: Int { case idle, reading, complete, refused, broken }

    /// What the routes have written.
    private enum Answer: Int { case none, owed, begun, leaving, left }

    private enum Decoder: Int { case between, inRequest, failed, ended }

    static let depth = 8
    private static let octets = ByteBuffer(repeating: 0, count: 100_000)

    private var machine = ConnectionStateMachine()
    private var (reader, answer, decoder) = (Reader.idle, Answer.none, Decoder.between)
    private var (readIsHeld, pauseIsDue, closes, isClosed, hasInputEnded) = (false, false, false, false, false)
    /// The request wants to be the last; the last answer is one to a complete request.
    private var (isLast, endsComplete) = (false, false)
    private var readerKnowsEnd = false
    private var (arrivedCount, begunCount, discardedByteCount) = (0, 0, 0)
    private var events: [Event] = []
    private(set) var faults: [String] = []

    /// What decides on all that can follow.
    struct Fingerprint: Hashable {
        let state: ConnectionStateMachine.State
        let waiting: [Int]
        let known: [Int]
        let flags: [Bool]
    }

    var fingerprint: Fingerprint {
        Fingerprint(
            state: machine.state, waiting: machine.backlog.map(Self.kind),
            known: [reader.rawValue, answer.rawValue, decoder.rawValue],
            flags: [
                machine.holdsRead, machine.hasInputEnded, readerKnowsEnd, readIsHeld, pauseIsDue, closes, isClosed,
                hasInputEnded,
                isLast,
                endsComplete,
            ])
    }

    private static func kind(_ item: ConnectionStateMachine.Item) -> Int {
        switch item {
        case .part(.head(let head)): head.headers.reduce(10) { 31 * $0 + $1.name.utf8.count }
        case .part(.body): 1
        case .part(.end): 2
        case .failure(let error): error is HTTPParserError ? 3 : 4
        case .inputEnd: 5
        }
    }

    func permits(_ event: Event) -> Bool {
        switch event {
        case .octets, .blankLine: !isClosed && !hasInputEnded
        case .head, .lastHead, .headOfOtherProtocol, .headWithoutHost:
            !isClosed && decoder == .between && !hasInputEnded
        case .body, .end: !isClosed && decoder == .inRequest && !hasInputEnded
        case .decoderFails: !isClosed && decoder != .ended
        case .connectionFails, .readerAsks, .connectionCloses: !isClosed
        case .timePasses: machine.deadline != nil
        case .inputEnds: !isClosed && !hasInputEnded
        case .answerBegins, .lastAnswerBegins: answer == .owed
        case .answerEnds: answer == .begun
        case .lastOctetLeaves: answer == .leaving
        case .pauseEnds: pauseIsDue
        }
    }

    mutating func play(_ event: Event) {
        events.append(event)
        switch event {
        case .octets: machine.octetsArrived(isBlank: false)
        case .blankLine: machine.octetsArrived(isBlank: true)
        case .head: arrive(["Host": "a"])
        case .lastHead: arrive(["Host": "a", "Connection": "close"])
        case .headOfOtherProtocol: arrive(["Host": "a", "Upgrade": "h2c"])
        case .headWithoutHost: arrive([:])
        case .body:
            if !machine.isOpen { discardedByteCount += Self.octets.readableBytes }
            arrive(.body(Self.octets), in: .inRequest)
        case .end: arrive(.end(nil), in: .between)
        case .decoderFails: fail(HTTPParserError.invalidConstant)
        case .connectionFails: carryOut(machine.failed(ChannelError.eof))
        case .inputEnds: endInput()
        case .connectionCloses: close()
        case .readerAsks: if !machine.asksForRead() { readIsHeld = true }
        case .answerBegins: begin(isLast: false)
        case .lastAnswerBegins: begin(isLast: true)
        case .answerEnds: end()
        case .lastOctetLeaves:
            answer = .left
            require(!machine.lastAnswerLeft().isEmpty || isClosed, "is not closed behind the last answer")
        case .pauseEnds:
            pauseIsDue = false
            if machine.isOpen { letWaitingThrough() }
        case .timePasses: carryOut(machine.expired())
        }
        checkAll()
    }

    private mutating func arrive(_ fields: HTTPHeaders) {
        arrivedCount += 1
        let head = HTTPRequestHead(version: .http1_1, method: .POST, uri: "/\(arrivedCount)", headers: fields)
        arrive(.head(head), in: .inRequest)
    }

    private mutating func arrive(_ part: ConnectionStateMachine.Part, in decoder: Decoder) {
        self.decoder = decoder
        carryOut(machine.received(part))
    }

    private mutating func fail(_ error: any Error) {
        let (waited, hadFailed) = (machine.backlog.count, decoder == .failed)
        decoder = .failed
        carryOut(machine.failed(error))
        require(!hadFailed || machine.backlog.count <= max(waited, 1), "keeps each failure of the decoder")
    }

    private mutating func endInput() {
        hasInputEnded = true
        switch machine.inputEnded() {
        case .wait: break
        case .passOn: readerKnowsEnd = true
        case .close: closes = true
        }
    }

    private mutating func close() {
        isClosed = true
        let fault = machine.becameInactive()
        require((fault != nil) == (reader == .reading), "breaks a request off that is complete, or does not")
        if fault != nil { reader = .broken }
    }

    private mutating func begin(isLast: Bool) {
        let known = machine.answerBegins(isLast: isLast)
        require((known == nil) == isClosed, "drops the answer to a request, or writes it behind the end")
        require(known == nil || known == (isLast || self.isLast || reader != .complete), "does not say what is last")
        answer = .begun
        self.isLast = known ?? true
    }

    private mutating func end() {
        switch machine.answerEnds() {
        case .drop:
            require(isClosed, "drops the end of an answer")
            answer = .left
        case .last:
            require(isLast, "ends though more may come")
            endsComplete = reader == .complete
            (answer, reader) = (.leaving, .complete)
        case .next(let isPipelined):
            require(reader == .complete && !isLast, "goes on behind a last answer, or while a request is read")
            (answer, reader) = (.none, .idle)
            if isPipelined { pauseIsDue = true } else { letWaitingThrough() }
        }
        if machine.takeRead() { readIsHeld = false }
    }

    private mutating func letWaitingThrough() {
        while let step = machine.takeWaiting() { carryOut(step) }
        if machine.takeInputEnd() { readerKnowsEnd = true }
        if machine.takeRead() { readIsHeld = false }
    }

    private mutating func carryOut(_ step: ConnectionStateMachine.Step) {
        switch step {
        case .nothing: break
        case .begin(.head(let head)):
            require(!head.headers["Host"].isEmpty, "lets a request through that names no host")
            take(head)
            (reader, isLast) = (.reading, head.headers.count > 1)
        case .begin: require(false, "begins a request without its head")
        case .refuse(let head, let fault):
            take(head, isRead: fault == .malformedHost)
            (reader, isLast) = (.refused, true)
        case .pass: require(reader == .reading, "passes a body without its head")
        case .complete:
            require(reader == .reading, "ends a request twice")
            reader = .complete
        case .breakOff:
            require(reader == .reading, "breaks a request off twice, or a complete one")
            reader = .broken
        case .giveUp: require(answer == .owed && reader == .complete, "gives up what is answered")
        case .close:
            let isDue = events.last == .timePasses || discardedByteCount > ConnectionStateMachine.discardLimit
            require(answer != .leaving || isDue, "cuts off the last answer")
            closes = true
        case .passError: closes = true
        }
    }

    private mutating func take(_ head: HTTPRequestHead, isRead: Bool = true) {
        if isRead { begunCount += 1 }
        require(!isRead || head.uri == "/\(begunCount)", "loses a request, or lets it through out of its order")
        require(reader == .idle && answer == .none, "lets a request through while another one is answered")
        answer = .owed
    }

    // MARK: - The rules

    private mutating func require(_ condition: Bool, _ fault: String) {
        if !condition { faults.append("\(fault): \(events)") }
    }

    private mutating func checkAll() {
        var copy = machine
        require(machine.backlog.isEmpty || !copy.asksForRead(), "reads on while something waits")
        require(!isClosed || machine.deadline == nil, "has a deadline behind its end")
        let goesOn = answer == .owed || answer == .begun || pauseIsDue
        require(isClosed || machine.deadline != nil || goesOn, "has no deadline, and owes no answer")
        require(closes || discardedByteCount < 400_000, "discards without end")
        require(!pauseIsDue || machine.deadline == nil, "has a deadline for a request that has come")
        require(answer != .begun || copy.answerBegins(isLast: false) == nil, "begins an answer twice")
        require(decoder != .failed || !endsComplete || isClosed || !copy.asksForRead(), "reads what nothing decodes")
        require(machine.deadline != .answer || answer == .owed, "waits for an answer that is not owed")
        guard answer == .leaving || answer == .left || isClosed else { return }
        require(!machine.isOpen, "goes on behind its end")
        require(copy.answerBegins(isLast: false) == nil && copy.answerEnds() == .drop, "writes behind its end")
    }

    /// Faults that show when routes answer and pauses end, and then only time passes: no read is held, and the connection ends.
    func faultsOfTheEnd() -> [String] {
        var life = self
        for _ in 0..<2 * Self.depth where !life.closes && !life.isClosed {
            let event = [.answerBegins, .answerEnds, .lastOctetLeaves, .pauseEnds].first { life.permits($0) }
            guard let event else { break }
            life.play(event)
        }
        life.require(
            life.begunCount == life.arrivedCount || life.closes || life.isClosed || !life.machine.isOpen,
            "lets a request wait for ever")
        life.require(
            life.readerKnowsEnd || !life.hasInputEnded || life.closes || life.isClosed || !life.machine.isOpen,
            "keeps from the reader that no more comes")
        life.require(
            !life.readIsHeld || life.closes || life.isClosed || life.answer == .left, "holds a read for ever")
        for _ in 0..<2 * Self.depth where !life.closes && !life.isClosed {
            life.play(
                [.answerBegins, .answerEnds, .lastOctetLeaves, .pauseEnds].first { life.permits($0) } ?? .timePasses)
        }
        life.require(life.closes || life.isClosed, "never ends")
        return life.faults
    }
}

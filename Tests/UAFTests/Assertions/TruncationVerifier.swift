import Testing
import UAF

/// Feeds a reader a good input whole, cut off at every position, and followed by more.
enum TruncationVerifier {
    static func verify(
        _ octets: [UInt8], sourceLocation: SourceLocation = #_sourceLocation,
        read: ([UInt8]) throws(TLVError) -> Void
    ) {
        #expect(throws: Never.self, sourceLocation: sourceLocation) { try read(octets) }
        for count in octets.indices {
            #expect(throws: TLVError.self, "cut off after \(count) bytes", sourceLocation: sourceLocation) {
                try read(Array(octets.prefix(count)))
            }
        }
        #expect(throws: TLVError.trailing(position: octets.count), sourceLocation: sourceLocation) {
            try read(octets + [0])
        }
        #expect(throws: TLVError.trailing(position: octets.count), sourceLocation: sourceLocation) {
            try read(octets + octets)
        }
    }
}

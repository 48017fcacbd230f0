import Foundation

/// Driver of libFuzzer, in builds that have it.
enum FuzzDriver {
    /// Subject of the inputs; set once before libFuzzer starts.
    nonisolated(unsafe) fileprivate static var subject: FuzzSubject?

    #if FUZZ
        /// Runs libFuzzer until it finds something or its time is over; returns the exit code.
        static func run(_ subject: FuzzSubject, _ arguments: ArraySlice<String>) -> Int32 {
            self.subject = subject
            var pointers = (["signet-fuzz"] + arguments).map { strdup($0) } + [nil]
            var count = Int32(pointers.count - 1)
            return pointers.withUnsafeMutableBufferPointer { buffer in
                var base = buffer.baseAddress
                return runDriver(&count, &base, feed)
            }
        }
    #else
        /// Reports that this build cannot fuzz.
        static func run(_ subject: FuzzSubject, _ arguments: ArraySlice<String>) -> Int32 {
            FileHandle.standardError.write(Data("this build has no fuzzer: use script/fuzz\n".utf8))
            return 64
        }
    #endif
}

#if FUZZ
    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<Int32>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ feed: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
    ) -> Int32

    @_cdecl("LLVMFuzzerTestOneInput")
    func feed(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
        let input = Array(UnsafeBufferPointer(start: start, count: count))
        do {
            try FuzzDriver.subject?.feed(input)
        } catch {
            fatalError("\(error)")
        }
        return 0
    }
#endif

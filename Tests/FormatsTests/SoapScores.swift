/// Scores for the tests of SO(a)P, which the reader and an independent model read.
enum SoapScores {
    static let all = [
        "BAR 1 [4/4] TEMPO [1/4]=60\nBAR 3 END",
        "BAR 1 [4/4] TEMPO [1/4]=120\nBAR 3 [6/4]\nBAR 4 [4/4]\nBAR 7 END",
        "BAR 1 [4/4] TEMPO [1/4]=120\nBAR 3 TEMPO [1/4]=50\nBAR 9 END",
        "BAR 12 [13/8] TEMPO [1/8]=61.37\nBAR 21 [7/8] TEMPO [1/8]=30\nBAR 22 END",
        // Every way to group eighths and sixteenths, and notes that are not grouped.
        (1...13).map { "BAR \($0) [\($0)/8] TEMPO [1/8]=173\n" }.joined() + "BAR 13 END",
        (1...13).map { "BAR \(2 * $0) [\($0)/16] TEMPO [3/16]=99.9\n" }.joined() + "BAR 27 END",
        "BAR 1 [5/6] TEMPO [1/6]=100\nBAR 2 [5/3]\nBAR 3 [2/2]\nBAR 4 [7/32]\nBAR 5 [1/1]\nBAR 6 END",
        // Terms.
        "BAR 1 [3+2+2/8] TEMPO [3/8]=60\nBAR 2 [2+3+2/8]\nBAR 3 [2+2+3/8]\nBAR 5 END",
        "BAR 1 [2+1/4] TEMPO [1/4]=66\nBAR 2 [1+1+1/4]\nBAR 3 [3+3/8]\nBAR 4 [5+7+1/16] TEMPO [1/16]=400\nBAR 5 END",
        // Parts in any order, comments, blank lines, labels.
        "// a comment\n\n  BAR 1 TEMPO [1/4]=100 \"a // b\" [4/4] // c\n\nBAR 3 \"C\" TEMPO [1/8]=90//d\nBAR 4 LABEL \"D\" END",
        "BAR 1 [4/4]\n| TEMPO [1/4]=60 \"d\"\n|3 TEMPO [1/4]=90 \"e\"\n|4.5 \"accent\"\nBAR 2\n|2 TEMPO [1/8]=71\nBAR 4 END",
        "BAR 1 [2+2+3/8] |1 LABEL \"x y\" TEMPO [1/8]=100 |2 TEMPO [1/8]=60 |3 FERMATA [1/4]=2s\nBAR 2 END",
        // The beats of a bar in another order.
        "BAR 1 [4/4] TEMPO [1/4]=60\n|4 TEMPO [1/4]=30\n|2 TEMPO [1/4]=90\nBAR 1 \"again\"\nBAR 2 END",
        // Bars in seconds.
        "BAR 1 10s\nBAR 2 7.5s\nBAR 5 2m30s\nBAR 6 1500ms\nBAR 7 1h\nBAR 8 1m0.25s END",
        "BAR 1 [4/4] TEMPO [1/4]=80\nBAR 2 10s\nBAR 4 [3/4]\nBAR 6 END",
        "BAR 1 10s\nBAR 3 [3/4] TEMPO [1/4]=72\nBAR 4 .5s\nBAR 5 TEMPO [1/4]=144\nBAR 6 [3/4]\nBAR 8 END",
        // Equivalences.
        "BAR 1 [4/4] TEMPO [1/4]=80\nBAR 2 [6/8] TEMPO [3/8]=[1/4]\nBAR 3 [4/4]\nBAR 5 END",
        "BAR 200 [6/8] TEMPO [3/8]=60\nBAR 201 [3/4] TEMPO [1/4]=[1/4]\nBAR 203 TEMPO [1/4]=[3/8]\nBAR 204 END",
        "BAR 1 [4/4] TEMPO [1/4]=63\n|3 TEMPO [1/8]=[1/12]\nBAR 3 TEMPO [1/2]=[1/8]\nBAR 4 [4/4] TEMPO [5/16]=[1/4]\nBAR 5 END",
        // Fermatas in seconds.
        "BAR 1 [4/4] TEMPO [1/4]=120\nBAR 3\n|3 FERMATA [1/2]=10s\nBAR 5 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\nBAR 2 FERMATA [1/1]=10s\nBAR 3 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|1 FERMATA [1/4]=.4s\n|2 FERMATA [1/4]=1.5s\n|3 FERMATA [1/4]=2s\n|4 FERMATA [1/4]=1m\nBAR 2 END",
        // Fermatas in notes: on the beat, between beats, longer than the bar.
        "BAR 1 [4/4]\n|1 TEMPO [1/4]=120\n|2 FERMATA [3/8]=2*\nBAR 2 END",
        "BAR 1 [4/4] TEMPO [1/4]=90\n|2.5 FERMATA [1/4]=3.5*\nBAR 2\n|4 FERMATA [1/1]=1.5*\nBAR 4 FERMATA [1/16]=0.5*\nBAR 5 END",
        "BAR 1 [6/8] TEMPO [1/8]=180\n|1.333333 FERMATA [1/8]=8*\n|2 FERMATA [3/8]=4*\nBAR 3 [7/8]\n|2 FERMATA [1/4]=7*\nBAR 4 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|1.25 FERMATA [1/16]=9*\n|1.5 FERMATA [1/16]=7*\n|3.125 FERMATA [1/2]=6s\nBAR 2 END",
        // Fermatas for the player.
        "BAR 1 [4/4] TEMPO [1/4]=60\nBAR 2 FERMATA [1/1]=?\nBAR 3\n|2 FERMATA [1/4]=?\n|3.5 FERMATA [1/8]=?\nBAR 4 END",
        "BAR 1 [3/8] TEMPO [1/8]=60 FERMATA [1/8]=?\nBAR 2 [4/4] |2 FERMATA [1/4]=? |3 FERMATA [1/4]=5s |4 FERMATA [1/4]=?\nBAR 3 END",
        // Curves.
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 1\nBAR 2 TEMPO [1/4]=120\nBAR 3 END",
        "BAR 33 [4/4] TEMPO [1/4]=80\nBAR 34 TEMPO [1/4]=80 curve 1.5\nBAR 36 TEMPO [1/4]=120\nBAR 37 END",
        "BAR 1 [3+2+2/8] TEMPO [3/8]=60\nBAR 2 TEMPO [3/8]=60 curve 2\nBAR 3 [2+3+2/8]\nBAR 4 [2+3+2/8] TEMPO [3/8]=120\nBAR 5 END",
        "BAR 1 [4/4] TEMPO [1/4]=200 curve .5\nBAR 2 [6/8]\nBAR 5 [5/8]\nBAR 9 [1/4]\nBAR 30 TEMPO [1/4]=40 curve\nBAR 40 [3/4]\n|2 TEMPO [1/4]=77\nBAR 41 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 |3 TEMPO [1/4]=60 curve 0.8\nBAR 2 |4 TEMPO [1/4]=180\nBAR 3 END",
        // A curve that goes through equivalences, seconds and fermatas.
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 1\nBAR 2 [3/4]\n|2 \"x\"\nBAR 3 [6/8] TEMPO [3/8]=[1/4]\nBAR 4 [4/4] TEMPO [1/4]=120\nBAR 5 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 3\nBAR 2 |3 TEMPO [1/8]=[1/12]\nBAR 3 [2+3/8]\nBAR 5 [4/4] TEMPO [1/4]=132\nBAR 6 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 1\nBAR 2 3s\nBAR 4 [3/4]\nBAR 5 TEMPO [1/4]=120\nBAR 6 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 2 |2 FERMATA [1/4]=4* |4 FERMATA [1/4]=?\nBAR 2 |1 FERMATA [1/2]=7s\nBAR 3 TEMPO [1/4]=120\nBAR 3 END",
        // The end of a curve counts another note.
        "BAR 1 [2/4] TEMPO [1/4]=60 curve 1\nBAR 3 TEMPO [1/8]=240\nBAR 4 END",
        // Many beats of different lengths in one bar, and many bars in a curve.
        "BAR 1 [40/4] TEMPO [1/4]=333.3 curve 7\nBAR 3 TEMPO [1/4]=47\nBAR 3 END",
        "BAR 1 [7/8] TEMPO [1/8]=301 curve 0.3\nBAR 200 TEMPO [1/8]=53.21\nBAR 400 END",
        // Tempi inside beats, at barlines and after their bars.
        "BAR 1 [4/4] TEMPO [1/4]=60\n|2.5 TEMPO [1/4]=120\nBAR 3 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|1.25 TEMPO [1/4]=120 |1.75 TEMPO [1/8]=90 |4.9 TEMPO [1/2]=47\nBAR 2 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|4.99 TEMPO [1/4]=120\nBAR 2 |1.01 TEMPO [1/4]=60\nBAR 3 END",
        "BAR 1 [6/8] TEMPO [3/8]=60\n|2.333333 TEMPO [3/8]=90\nBAR 2 [3+2+2/8] |3.5 TEMPO [1/4]=111\nBAR 3 END",
        "BAR 1 [7/8] TEMPO [1/8]=200\n|1.5 TEMPO [1/4]=[1/8]\n|3.25 TEMPO [1/8]=[1/12]\nBAR 3 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|5 TEMPO [1/4]=90\nBAR 2\n|5 TEMPO [1/4]=45\nBAR 4 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|5 TEMPO [1/4]=90\nBAR 2 TEMPO [1/4]=[1/8]\nBAR 3 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|5.99 TEMPO [1/4]=90\nBAR 3 END",
        "BAR 1 [2/4] TEMPO [1/4]=60\n|7 TEMPO [1/4]=240\nBAR 2 |3.5 TEMPO [1/4]=30\nBAR 4 END",
        "BAR 1 [6/8] TEMPO [3/8]=60\n|6.99 TEMPO [1/4]=120\nBAR 2 [3/4]\nBAR 3 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\nBAR 2 10s |1.5 TEMPO [1/4]=120\nBAR 3 [3/4] |4 TEMPO [1/4]=72\nBAR 5 END",
        "BAR 1 5s TEMPO [1/4]=60 |2 TEMPO [1/4]=90\nBAR 2 [2/4]\nBAR 3 4s |1.5 TEMPO [1/4]=30 |7 TEMPO [1/4]=75\nBAR 4 [2/4]\nBAR 4 END",
        // Curves that begin or end inside beats.
        "BAR 1 [8/4] TEMPO [1/4]=60 curve 1\n|2.99 TEMPO [1/4]=120\nBAR 1 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 2\n|4.99 TEMPO [1/4]=120\nBAR 3 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 1\nBAR 3\n|2.25 TEMPO [1/4]=150\nBAR 4 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|2.5 TEMPO [1/4]=60 curve 1\nBAR 2\n|3 TEMPO [1/4]=120\nBAR 3 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|1.99 TEMPO [1/4]=60 curve 0.5\n|3.01 TEMPO [1/4]=180\nBAR 2 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 1\n|5 TEMPO [1/4]=120\nBAR 3 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|5 TEMPO [1/4]=60 curve 1.5\nBAR 4 TEMPO [1/4]=120\nBAR 5 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 1\nBAR 3\n|9 TEMPO [1/4]=120\nBAR 4 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 1\nBAR 2\n|5 TEMPO [1/4]=120\nBAR 2 END",
        "BAR 1 [3+2+2/8] TEMPO [1/8]=120 curve 1\n|1.5 TEMPO [1/8]=240 curve 2\nBAR 2 |2.75 TEMPO [1/8]=60\nBAR 3 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 1\n|2.5 TEMPO [1/8]=[1/12]\nBAR 3 TEMPO [1/4]=120\nBAR 4 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 1\nBAR 2 6s |1.5 TEMPO [1/4]=120\nBAR 3 [4/4]\nBAR 4 END",
        "BAR 1 [4/4] TEMPO [1/4]=60 curve 1\nBAR 2 6s |2 TEMPO [1/4]=120\nBAR 3 [4/4]\nBAR 4 END",
        // Tempi and fermatas in one beat.
        "BAR 1 [4/4] TEMPO [1/4]=60\n|2.5 TEMPO [1/4]=120 |2.75 FERMATA [1/16]=9*\nBAR 2 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|2.25 FERMATA [1/16]=2s |2.5 TEMPO [1/4]=120 |3 FERMATA [1/4]=?\nBAR 2 END",
        "BAR 1 [4/4] TEMPO [1/4]=60\n|3.5 TEMPO [1/4]=30 |3.5 FERMATA [1/8]=?\nBAR 2 END",
        // A bar that is listed again.
        "BAR 1 [4/4] TEMPO [1/4]=60\n|2.5 TEMPO [1/4]=120\nBAR 1\nBAR 1 |3 TEMPO [1/4]=60\nBAR 2 END",
        // Without END: the last bar that is listed is the last.
        "BAR 1 [4/4] TEMPO [1/4]=60 \"a\"\nBAR 4 [3/4] \"b\"",
    ]
}

<?php
// The magic word with which a page says that it only lists the meanings of a name.
$magicWords = [];
$magicWords['en'] = [ 'disambiguation' => [ 0, '__DISAMBIG__' ] ];

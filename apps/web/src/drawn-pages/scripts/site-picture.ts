import { pickPictures } from './pick-pictures.ts';

pickPictures(document);
